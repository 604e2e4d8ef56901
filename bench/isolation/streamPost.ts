import { type Agent, request } from 'node:http'

/** What became of a request; of the answer only its beginning is kept. */
export interface Outcome {
  readonly status: number
  readonly start: string
  readonly bytes: number
}

/** Characters of an answer that tell an error. */
const startLength = 200

/** Posts JSON and reads the whole answer without keeping it. */
export function streamPost(url: string, body: string, agent: Agent): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let start = ''
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (start.length < startLength) start += piece.toString('latin1', 0, startLength)
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, start, bytes }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
