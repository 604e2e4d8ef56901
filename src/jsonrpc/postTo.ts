import type { HttpClient } from '../http/client/httpClient.ts'
import type { SendText } from './remoteCall.ts'

/** Bytes of the longest answer: more is no string any more. */
const maxAnswer = 512 << 20

/** Posts requests to a server, whose answer has to be OK. */
export function postTo(client: HttpClient, url: string): SendText {
  return async (body, signal) => {
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body } as const
    const answer = await client.ask(new URL(url), request, { maxAnswer, signal, redirects: true })
    if (answer.status < 200 || answer.status > 299) throw new Error(`HTTP status ${answer.status}`)
    return answer.body.toString()
  }
}
