import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readWhenAnswered } from './readWhenAnswered.ts'
import { sendText } from './sendText.ts'

/** Bytes beyond the limit that are read and discarded, so that the client can read the refusal. */
const politeExcess = 64 * 1024 * 1024

/** Reads a body as `readBytes` does and passes its text to `take`, undefined if it is not UTF-8. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  take: (text: string | undefined) => void,
): void {
  readBytes(request, response, limit, (bytes) => {
    const text = bytes.toString()
    // A replacement character is either part of the text or stands for invalid UTF-8.
    if (text.includes('\ufffd') && !isUtf8(bytes)) return take(undefined)
    take(text)
  })
}

const empty = Buffer.alloc(0)

/**
 * Reads a body of at most `limit` bytes and passes it to `take`. A larger body is refused with 413: at once if its length is
 * announced. `take` is not called then, nor if the client disconnects.
 */
export function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  take: (bytes: Buffer) => void,
): void {
  const { headers } = request
  if (Number(headers['content-length'] ?? 0) > limit) {
    refuse(request, response)
    return
  }
  readWhenAnswered(request, response, () => {
    if (headers.expect !== undefined) response.writeContinue()
    collect(request, response, limit, take)
  })
}

function collect(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  take: (bytes: Buffer) => void,
): void {
  let first: Buffer | undefined
  let rest: Buffer[] | undefined
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) {
      first = rest = undefined
      if (size <= limit + politeExcess) return
      request.removeAllListeners('data').removeAllListeners('end')
      refuse(request, response)
    } else if (first === undefined) first = chunk
    else if (rest === undefined) rest = [chunk]
    else rest.push(chunk)
  })
  request.on('end', () => {
    if (size > limit) return sendTooLarge(response)
    if (first === undefined) return take(empty)
    take(rest === undefined ? first : Buffer.concat([first, ...rest]))
  })
  // The client has disconnected: nobody is left to answer.
  request.on('error', () => {})
}

function sendTooLarge(response: ServerResponse): void {
  response.setHeader('Connection', 'close')
  sendText(response, 413, 'text/plain', 'Request Entity Too Large')
}

/** Refuses a body that has not arrived. A client that sends it all the same is disconnected after a while. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  // Without an answer to `Expect` nothing comes: the connection can be closed at once.
  if (request.headers.expect !== undefined) {
    sendTooLarge(response)
    return
  }
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > politeExcess) request.socket.destroy()
  })
  request.on('error', () => {})
  sendText(response, 413, 'text/plain', 'Request Entity Too Large')
}
