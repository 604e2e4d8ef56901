import type { Socket } from 'node:net'
import { messageLength, openWebSocket, textFrame } from '../webSocket.ts'

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

/** Only heads have it. */
const headMember = Buffer.from('"parentHash"')

/** Opens so many connections, each with subscriptions of these kinds. */
export async function gatherCrowd(port: number, size: number, kinds: readonly string[]): Promise<Crowd> {
  const sockets: Socket[] = []
  const counts = new Uint32Array(size)
  const heard: Float64Array[] = []
  const heads = new Float64Array(size).fill(Infinity)
  const subscribe = Buffer.concat(
    kinds.map((kind, id) =>
      textFrame(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: [kind, {}] })),
    ),
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
    const socket = await openWebSocket(port, listen(i))
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
