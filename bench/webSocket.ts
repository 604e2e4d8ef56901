import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const opcodeText = 0x81
/** A message of a client: masked, as the protocol asks, with zeros. */
export function textFrame(text: string): Buffer {
  const body = Buffer.from(text)
  const head =
    body.length < 126 ? [opcodeText, 0x80 | body.length] : [opcodeText, 0x80 | 126, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), body])
}

/** What all connections read into, one at a time: no memory and no stream events of their own, which would cost more than the rest. */
const readBuffer = Buffer.allocUnsafe(1 << 16)

/** Opens a WebSocket; `receive` gets what comes after the handshake, in a buffer that is used again. */
export function openWebSocket(port: number, receive: (bytes: Buffer) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isOpen = false
    function callback(length: number): boolean {
      const bytes = readBuffer.subarray(0, length)
      if (isOpen) receive(bytes)
      else if (bytes.toString('latin1').startsWith('HTTP/1.1 101')) {
        isOpen = true
        resolve(socket)
      } else reject(new Error(`no WebSocket: ${bytes}`))
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: readBuffer, callback } })
    socket.on('error', reject)
    const key = randomBytes(16).toString('base64')
    socket.write(
      `GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    )
  })
}

/** Length of the message at the beginning of what was received; undefined if it is not complete. */
export function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined
  const short = bytes[1]! & 127
  const length = short < 126 ? 2 + short : short === 126 ? 4 + bytes.readUInt16BE(2) : undefined
  if (length === undefined) throw new Error('a message of more than 64 KB')
  return length <= bytes.length ? length : undefined
}
