import type { Random } from '../fuzz/random.ts'
import { ask, askBlocks, Refused } from './ask.ts'

/** What is known of one node from its own answers. */
interface Testimony {
  /** Highest block that it ever reported. */
  head: number
  /** Blocks up to here were compared since it was started. */
  compared: number
  /** When it was started, while its first new block is waited for. */
  startedAt: number | undefined
  asking: boolean
}

/** Watches what all nodes say of the chain: a block that one has reported is every node's block forever. */
export interface Witness {
  /** Asks a node that should be up; what is wrong goes into `violations`. */
  look(node: number): Promise<void>
  /** Tells that a node was just started. */
  onStart(node: number): void
  /** Compares all blocks of all nodes. */
  sweep(): Promise<void>
  heads(): readonly number[]
  isMined(hash: string): boolean
  readonly violations: readonly string[]
  /** Milliseconds from the start of a node to its first new block. */
  readonly rejoins: readonly number[]
  /** How often a block of a node was compared with what was known of its height. */
  compared(): number
}

const perQuestion = 100
/** Blocks that are looked at again when a node is back: the last ones, and some of all. */
const lookBack = 20

export function createWitness(urls: readonly string[], random: Random): Witness {
  const hashes = new Map<number, string>()
  const mined = new Set<string>()
  const violations: string[] = []
  const rejoins: number[] = []
  const nodes = urls.map((): Testimony => ({ head: 0, compared: 0, startedAt: undefined, asking: false }))
  let compared = 0

  async function compare(node: number, numbers: readonly number[]): Promise<void> {
    for (const [i, block] of (await askBlocks(urls[node]!, numbers)).entries()) {
      const number = numbers[i]!
      if (!block) {
        violations.push(`node${node} lost block ${number}`)
        continue
      }
      const known = hashes.get(number)
      compared++
      if (known === undefined) {
        hashes.set(number, block.hash)
        for (const hash of block.transactions) mined.add(hash)
      } else if (known !== block.hash) violations.push(`node${node} has block ${number} as ${block.hash}, not ${known}`)
    }
  }

  async function receive(node: number): Promise<void> {
    const state = nodes[node]!
    const head = Number(await ask<string>(urls[node]!, 'eth_blockNumber'))
    if (head < state.head) violations.push(`node${node} is at block ${head}, and was at ${state.head}`)
    if (head > state.head && state.startedAt !== undefined) {
      rejoins.push(performance.now() - state.startedAt)
      state.startedAt = undefined
    }
    state.head = Math.max(head, state.head)
    const isBack = state.compared === 0 && head > lookBack
    if (isBack) {
      state.compared = head - lookBack
      await compare(
        node,
        Array.from({ length: lookBack }, () => random.between(1, head)),
      )
    }
    while (state.compared < head) {
      const count = Math.min(perQuestion, head - state.compared)
      const from = state.compared + 1
      await compare(
        node,
        Array.from({ length: count }, (_, i) => from + i),
      )
      state.compared += count
    }
  }

  return {
    async look(node) {
      const state = nodes[node]!
      if (state.asking) return
      state.asking = true
      try {
        await receive(node)
      } catch (error) {
        // A node that is starting, stopped or gone does not answer.
        if (error instanceof Refused) violations.push(`node${node} refused to tell of its blocks: ${error.message}`)
      } finally {
        state.asking = false
      }
    },
    onStart(node) {
      const state = nodes[node]!
      state.startedAt = performance.now()
      state.compared = 0
    },
    async sweep() {
      for (const [node, { head }] of nodes.entries())
        for (let from = 1; from <= head; from += perQuestion) {
          const count = Math.min(perQuestion, head - from + 1)
          await compare(
            node,
            Array.from({ length: count }, (_, i) => from + i),
          )
        }
    },
    heads: () => nodes.map(({ head }) => head),
    isMined: (hash) => mined.has(hash),
    violations,
    rejoins,
    compared: () => compared,
  }
}
