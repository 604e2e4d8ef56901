import type { Socket } from 'node:net'
import { gzip } from 'node:zlib'
import { fastGzip, gzipFrom } from '../../http/sendJson.ts'
import type { Reply } from '../protocol/dispatch.ts'

const heads = { 200: head('200 OK'), 400: head('400 Bad Request') }

function head(status: string): string {
  const headers = ['Content-Type: application/json', 'Vary: origin', 'Connection: keep-alive']
  return [`HTTP/1.1 ${status}`, ...headers, ''].join('\r\n')
}

/**
 * Writes an answer to a socket that nothing else writes to. True when it is done with and the client keeps up; otherwise
 * `goOn` is called when it is.
 */
export function writePlainReply(socket: Socket, reply: Reply, mayGzip: boolean, goOn: () => void): boolean {
  const start = heads[reply.status]
  const { body } = reply
  if (typeof body !== 'string') {
    // Head and first pieces leave together: of a short answer that is all.
    socket.cork()
    socket.write(`${start}Transfer-Encoding: chunked\r\n\r\n`)
    const done = writePieces(socket, body[Symbol.iterator](), goOn)
    socket.uncork()
    return done
  }
  if (mayGzip && body.length >= gzipFrom) {
    gzip(body, fastGzip, (error, bytes) => {
      if (error) socket.destroy(error)
      else {
        socket.write(`${start}Content-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`)
        if (socket.write(bytes)) goOn()
        else socket.once('drain', goOn)
      }
    })
    return false
  }
  const length = Buffer.byteLength(body)
  const text = `${start}Content-Length: ${length}\r\n\r\n${body}`
  if (socket.write(text, length === body.length ? 'latin1' : 'utf8')) return true
  socket.once('drain', goOn)
  return false
}

/** Writes pieces as the client takes them: true when it took all of them at once, else `done` is called. */
function writePieces(socket: Socket, pieces: Iterator<string>, done: () => void): boolean {
  try {
    for (;;) {
      if (socket.destroyed) {
        pieces.return?.()
        return false
      }
      const { value, done: ended } = pieces.next()
      if (ended) return socket.write('0\r\n\r\n') || wait(socket, done)
      // A piece without a byte would end the answer.
      if (value !== '' && !socket.write(`${Buffer.byteLength(value).toString(16)}\r\n${value}\r\n`)) break
    }
  } catch {
    // A value that fails half way leaves nothing to say: the connection is closed.
    socket.destroy()
    return false
  }
  const giveUp = () => pieces.return?.()
  socket.once('close', giveUp)
  return wait(socket, () => {
    socket.off('close', giveUp)
    if (writePieces(socket, pieces, done)) done()
  })
}

function wait(socket: Socket, goOn: () => void): false {
  socket.once('drain', goOn)
  return false
}
