import { once } from 'node:events'
import { WebSocket } from 'ws'

/** Blocks within some time, and the longest time from one to the next in seconds; the first and the last moment count as blocks. */
export interface Course {
  readonly seconds: number
  readonly blocks: number
  readonly gap: number
}

/** Notes when a node tells of its blocks. */
export interface BlockWatch {
  /** The course of the chain from that moment (of `performance.now`) until now. */
  since(from: number): Course
  close(): void
}

/** Watches a node over a WebSocket. */
export async function watchBlocks(wsPort: number): Promise<BlockWatch> {
  const times: number[] = []
  const client = new WebSocket(`ws://127.0.0.1:${wsPort}`)
  await once(client, 'open')
  client.on('message', (data) => {
    if (String(data).includes('eth_subscription')) times.push(performance.now())
  })
  client.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  return {
    since(from) {
      const now = performance.now()
      const seen = times.filter((time) => time >= from)
      const marks = [from, ...seen, now]
      const gap = Math.max(...marks.slice(1).map((time, i) => time - marks[i]!)) / 1000
      return { seconds: (now - from) / 1000, blocks: seen.length, gap }
    },
    close: () => client.terminate(),
  }
}
