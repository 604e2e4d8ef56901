import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** Many WebSocket clients that note when they hear something: as little work as possible, so that the server is measured. */
export interface Crowd {
  readonly size: number
  /** Forgets what was heard. */
  reset(): void
  /** Milliseconds, by `performance.now()`, at which each client had heard of the head; ascending, Infinity for those that have not. */
  headTimes(): Float64Array
  /** The same of so many messages. */
  times(messages: number): Float64Array
  close(): void
}

const opcodeText = 0x81
/** Only heads have it. */
const headMember = Buffer.from('"parentHash"')

/** A message of a client: masked, as the protocol asks, with zeros. */
function frame(text: string): Buffer {
  const body = Buffer.from(text)
  const head =
    body.length < 126 ? [opcodeText, 0x80 | body.length] : [opcodeText, 0x80 | 126, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), body])
}

/** What all connections read into, one at a time: no memory and no stream events of their own, which would cost more than the rest. */
const readBuffer = Buffer.allocUnsafe(1 << 16)

/** Opens a WebSocket; `receive` gets what comes after the handshake, in a buffer that is used again. */
function open(port: number, receive: (bytes: Buffer) => void): Promise<Socket> {
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
function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined
  const short = bytes[1]! & 127
  const length = short < 126 ? 2 + short : short === 126 ? 4 + bytes.readUInt16BE(2) : undefined
  if (length === undefined) throw new Error('a message of more than 64 KB')
  return length <= bytes.length ? length : undefined
}

/** Opens so many connections, each with subscriptions of these kinds. */
export async function gatherCrowd(port: number, size: number, kinds: readonly string[]): Promise<Crowd> {
  const sockets: Socket[] = []
  const counts = new Uint32Array(size)
  const heard: Float64Array[] = []
  const heads = new Float64Array(size).fill(Infinity)
  const subscribe = Buffer.concat(
    kinds.map((kind, id) => frame(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: [kind, {}] }))),
  )
  function listen(i: number): (bytes: Buffer) => void {
    let rest: Buffer | undefined
    return (chunk) => {
      const now = performance.now()
      let bytes = rest ? Buffer.concat([rest, chunk]) : chunk
      for (let length = messageLength(bytes); length !== undefined; length = messageLength(bytes)) {
        if (bytes.subarray(0, length).includes(headMember)) heads[i] = now
        bytes = bytes.subarray(length)
        const times = (heard[counts[i]!++] ??= new Float64Array(size).fill(Infinity))
        times[i] = now
      }
      rest = bytes.length > 0 ? Buffer.from(bytes) : undefined
    }
  }
  for (let i = 0; i < size; i++) {
    const socket = await open(port, listen(i))
    socket.write(subscribe)
    sockets.push(socket)
  }
  while (counts.some((count) => count < kinds.length)) await new Promise((resolve) => setTimeout(resolve, 20))
  return {
    size,
    reset() {
      counts.fill(0)
      heard.length = 0
      heads.fill(Infinity)
    },
    headTimes: () => heads.toSorted(),
    times: (messages) => (heard[messages - 1] ?? new Float64Array(size).fill(Infinity)).toSorted(),
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
