import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

/** Why a body is refused. */
export type BodyProblem = 'TOO_LARGE' | 'NOT_TEXT'

/** Bytes beyond the limit that are read and discarded, so that the client can read the refusal. */
const politeExcess = 64 * 1024 * 1024

/** Reads a body of at most `limit` bytes and passes its text to `take`, which is not called if the client disconnects. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  take: (text: string | undefined, problem?: BodyProblem) => void,
): void {
  let first: Buffer | undefined
  let rest: Buffer[] | undefined
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) {
      first = rest = undefined
      if (size <= limit + politeExcess) return
      request.removeAllListeners('data').removeAllListeners('end').pause()
      take(undefined, 'TOO_LARGE')
    } else if (first === undefined) first = chunk
    else if (rest === undefined) rest = [chunk]
    else rest.push(chunk)
  })
  request.on('end', () => {
    if (size > limit) return take(undefined, 'TOO_LARGE')
    if (first === undefined) return take('')
    const bytes = rest === undefined ? first : Buffer.concat([first, ...rest])
    const text = bytes.toString()
    // A replacement character is either part of the text or stands for invalid UTF-8.
    if (text.includes('\ufffd') && !isUtf8(bytes)) return take(undefined, 'NOT_TEXT')
    take(text)
  })
  // The client has disconnected: nobody is left to answer.
  request.on('error', () => {})
}
