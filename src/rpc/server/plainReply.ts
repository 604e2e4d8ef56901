import type { Socket } from 'node:net'
import { gzip } from 'node:zlib'
import { maxSending } from '../../http/readInTurns.ts'
import { fastGzip, gzipFrom } from '../../http/sendJson.ts'
import { isStored, type StoredText } from '../../primitives/longText.ts'
import type { Reply } from '../protocol/dispatcher.ts'

const heads = {
  200: head('200 OK'),
  400: head('400 Bad Request'),
  401: head('401 Unauthorized'),
  429: head('429 Too Many Requests'),
}

function head(status: string): string {
  const headers = ['Content-Type: application/json', 'Vary: origin', 'Connection: keep-alive']
  return [`HTTP/1.1 ${status}`, ...headers, ''].join('\r\n')
}

/** Bytes that may wait in a socket before the client counts as slow: a TLS socket takes nothing at once. */
const maxWaiting = 256 * 1024

/** Characters from which a text is sent by itself: to join texts of this length costs more than to write twice. */
const longPiece = 32 * 1024

function keepsUp(socket: Socket): boolean {
  return socket.writable && socket.writableLength < maxWaiting
}

/**
 * Writes a response to a socket that nothing else writes to. Returns true if it is written and the client keeps up; otherwise
 * `goOn` is called when that is so.
 */
export function writePlainReply(socket: Socket, reply: Reply, mayGzip: boolean, goOn: () => void): boolean {
  const start = heads[reply.status]
  const { body } = reply
  if (typeof body !== 'string') {
    // Corked, so that the head and the first pieces, often the whole response, are sent together.
    socket.cork()
    socket.write(`${start}Transfer-Encoding: chunked\r\n\r\n`)
    if (isStored(body)) {
      socket.uncork()
      void writeStored(socket, body, goOn)
      return false
    }
    const done = writePieces(socket, body[Symbol.iterator](), goOn)
    socket.uncork()
    return done
  }
  if (mayGzip && body.length >= gzipFrom) {
    gzip(body, fastGzip, (error, bytes) => {
      if (error) socket.destroy(error)
      else {
        socket.write(`${start}Content-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`)
        socket.write(bytes)
        if (keepsUp(socket)) goOn()
        else socket.once('drain', goOn)
      }
    })
    return false
  }
  if (body.length >= longPiece) {
    const bytes = Buffer.from(body)
    socket.cork()
    socket.write(`${start}Content-Length: ${bytes.length}\r\n\r\n`)
    socket.write(bytes)
    socket.uncork()
    return keepsUp(socket) || wait(socket, goOn)
  }
  const length = Buffer.byteLength(body)
  socket.write(`${start}Content-Length: ${length}\r\n\r\n${body}`, length === body.length ? 'latin1' : 'utf8')
  return keepsUp(socket) || wait(socket, goOn)
}

/**
 * Writes pieces as the client reads them, with turns for everything else. Returns true if it took all at once; otherwise `done`
 * is called later.
 */
function writePieces(socket: Socket, pieces: Iterator<string>, done: () => void): boolean {
  const end = performance.now() + maxSending
  try {
    do {
      if (socket.destroyed) {
        pieces.return?.()
        return false
      }
      const { value, done: ended } = pieces.next()
      if (ended) {
        socket.write('0\r\n\r\n')
        return keepsUp(socket) || wait(socket, done)
      }
      writeChunk(socket, value)
    } while (keepsUp(socket) && performance.now() < end)
  } catch {
    // Part of the response is sent already: close the connection.
    socket.destroy()
    return false
  }
  const giveUp = () => pieces.return?.()
  const goOn = () => {
    socket.off('close', giveUp)
    if (writePieces(socket, pieces, done)) done()
  }
  socket.once('close', giveUp)
  if (!keepsUp(socket)) return wait(socket, goOn)
  setImmediate(goOn)
  return false
}

/** Writes a text that is not kept in memory, as the client reads it. */
async function writeStored(socket: Socket, text: StoredText, done: () => void): Promise<void> {
  try {
    for await (const piece of text.readBytes()) {
      if (socket.destroyed) return
      socket.cork()
      writeChunk(socket, piece)
      socket.uncork()
      if (!keepsUp(socket)) await drained(socket)
    }
  } catch {
    socket.destroy()
    return
  }
  if (socket.destroyed) return
  socket.write('0\r\n\r\n')
  if (keepsUp(socket)) done()
  else wait(socket, done)
}

/** Resolves when the client has taken all that was written, or is gone. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      socket.off('drain', end).off('close', end)
      resolve()
    }
    socket.on('drain', end).on('close', end)
  })
}

function writeChunk(socket: Socket, piece: string | Uint8Array): void {
  // An empty chunk would end the response.
  if (piece.length === 0) return
  if (typeof piece === 'string' && piece.length < longPiece) {
    socket.write(`${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`)
    return
  }
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
  socket.write(`${bytes.length.toString(16)}\r\n`)
  socket.write(bytes)
  socket.write('\r\n')
}

function wait(socket: Socket, goOn: () => void): false {
  socket.once('drain', goOn)
  return false
}
