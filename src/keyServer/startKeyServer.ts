import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHttpServer } from '../http/httpServer.ts'
import { type Listening, type ListenOptions, listen } from '../http/listen.ts'
import { pathOf } from '../http/pathOf.ts'
import { readBody } from '../http/requestBody.ts'
import { sendJson } from '../http/sendJson.ts'
import { sendText } from '../http/sendText.ts'
import { TokenError } from '../pkcs11/fault.ts'
import type { Logger } from '../system/logger.ts'
import { type Answer, answerRequest } from './answerRequest.ts'
import type { KeyHolder } from './keyHolder.ts'
import { maxRequest } from './protocol.ts'

/** One node has a few connections; there may be a second one that takes over. */
const maxConnections = 64
const timeout = 10_000

/** Serves a key over HTTP; who may connect is a matter of TLS, or of the interface that it listens on. */
export function startKeyServer(options: ListenOptions, holder: KeyHolder, log: Logger): Promise<Listening> {
  async function answer(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const [method, path] = [request.method!, pathOf(request.url!)]
    let given: Answer
    try {
      given = await answerRequest(holder, method, path, text)
    } catch (error) {
      // What a token does not sign is said by whoever asks it, once a minute.
      if (error instanceof TokenError) log.debug({ path, error: error.message }, 'not answered: {error}')
      else log.error({ error: String(error) }, 'nothing is signed: {error}')
      sendText(response, error instanceof TokenError ? 503 : 500)
      return
    }
    const { status, body } = given
    const client = request.socket.remoteAddress
    if ('error' in body) log.warn({ client, status, reason: body.error }, 'refused: {reason}')
    else log.debug({ client, path }, 'answered')
    sendJson(response, status, JSON.stringify(body), { gzip: false, pretty: false })
  }

  const { server } = createHttpServer({ maxConnections, timeout }, (request, response) => {
    // A page in a browser must not be able to ask, whatever the browser has in its store of certificates.
    if (request.headers.origin !== undefined) return sendText(response, 403)
    if (request.method === 'GET') return void answer(request, response, '')
    if (request.method !== 'POST') return sendText(response, 405)
    readBody(request, response, maxRequest, (text = '') => void answer(request, response, text))
  })
  return listen(server, options)
}
