import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

/** A body that a handler cannot have. */
export type BodyProblem = 'TOO_LARGE' | 'NOT_TEXT'

/** Beyond the limit this much more is read and thrown away, so that the client gets to read why it was refused. */
const politeExcess = 64 * 1024 * 1024

/** Reads a body of at most `limit` bytes and hands over its text; nothing is called when the client goes away before. */
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
    // A replacement character may have been in the text, or stand for bytes that are none.
    if (text.includes('\ufffd') && !isUtf8(bytes)) return take(undefined, 'NOT_TEXT')
    take(text)
  })
  // A client that breaks off is no error of ours.
  request.on('error', () => {})
}
