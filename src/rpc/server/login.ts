import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Login } from '../../auth/login.ts'
import { acceptsJson } from '../../http/acceptHeader.ts'
import { readBody } from '../../http/requestBody.ts'
import { sendText } from '../../http/sendText.ts'
import { parseJson } from '../../jsonrpc/parseJson.ts'
import type { Access } from './gate.ts'

/** A name and a password need less. */
const maxBody = 16 * 1024

/** Answers requests of `/login`: a user name and a password give a token. */
export function serveLogin(request: IncomingMessage, response: ServerResponse, access: Access): void {
  const { authority, rateLimit } = access
  const login = authority?.login
  if (request.method !== 'POST') sendText(response, 405)
  else if (!acceptsJson(request.headers.accept)) sendText(response, 406)
  else if (rateLimit && !rateLimit.spend(request.socket.remoteAddress, 1)) sendText(response, 429)
  else if (login)
    readBody(request, response, maxBody, (text) => {
      // Such as when no thread can be started.
      answer(response, login, text ?? '').catch(() => sendText(response, 500))
    })
  else {
    response.statusMessage = 'Authentication not enabled'
    sendText(response, 400)
  }
}

async function answer(response: ServerResponse, login: Login, text: string): Promise<void> {
  const { status, type, body } = await login(parseJson(text))
  sendText(response, status, type, body)
}
