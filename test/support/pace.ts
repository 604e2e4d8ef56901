import type { RpcNode } from '../interop/rpcNode.ts'

/** How a network made blocks for a while. */
export interface Pace {
  readonly blocks: number
  /** Of those that its period asks for. */
  readonly share: number
  /** The longest time without a new block, in periods. */
  readonly gap: number
}

/** Milliseconds between two looks. */
const lookEvery = 50

/** Watches the blocks of a network, from the node that answers first; the returned function ends this, and tells it as often as asked. */
export function watchPace(nodes: readonly RpcNode[], period: number): () => Pace {
  const start = performance.now()
  let [first, height, last, longest] = [-1, -1, start, 0]
  let isOver = false

  async function look(node: RpcNode): Promise<void> {
    while (!isOver) {
      const now = Number(await node.call<string>('eth_blockNumber').catch(() => height))
      if (first < 0) first = now
      if (now > height) {
        if (height >= 0) longest = Math.max(longest, performance.now() - last)
        height = now
        last = performance.now()
      }
      await new Promise((resolve) => setTimeout(resolve, lookEvery))
    }
  }
  for (const node of nodes) void look(node)
  let pace: Pace | undefined
  return () => {
    if (pace) return pace
    isOver = true
    const seconds = (performance.now() - start) / 1000
    const gap = Math.max(longest, performance.now() - last) / 1000 / period
    const blocks = height - first
    pace = { blocks, share: (blocks * period) / seconds, gap }
    return pace
  }
}

export const toldPace = ({ blocks, share, gap }: Pace): string =>
  `${blocks} blocks, ${Math.round(share * 100)} % of those due, gap ${gap.toFixed(1)} periods`
