import { join } from 'node:path'
import type { NetworkEngine } from '../../src/cli/network/networkPlan.ts'
import type { Checks } from '../interop/checks.ts'
import type { Interop } from '../interop/interop.ts'
import { advance, eventually, hashAt, heightOf, type RpcNode, reach, sameBlocks, transfer } from '../interop/rpcNode.ts'
import { stopAll } from '../interop/stopAll.ts'
import { createConsortium } from './consortium.ts'
import { NoLab, openLab } from './lab.ts'
import type { Weather } from './switchboard.ts'

/** A bad line over half a continent. */
const weather: Weather = { delay: 40, jitter: 25, loss: 0.02, reorder: 0.05 }
const calm: Weather = { delay: 0, jitter: 0, loss: 0, reorder: 0 }
const seed = 7
/** Blocks between two events. */
const stretch = 6

interface Trial {
  readonly consensus: NetworkEngine
  readonly nodes: number
  readonly validators: number
  /** Those who are cut off first, too few to go on. */
  readonly minority: readonly number[]
}

const trials: readonly Trial[] = [
  { consensus: 'clique', nodes: 2, validators: 1, minority: [1] },
  { consensus: 'qbft', nodes: 10, validators: 4, minority: [3, 7, 8, 9] },
  { consensus: 'clique', nodes: 10, validators: 4, minority: [3, 7, 8, 9] },
]

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function createRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** All heads come to be the same block, and the chain goes on from there. */
async function converge(checks: Checks, nodes: readonly RpcNode[], when: string): Promise<void> {
  await checks.step(`${when} all go on`, () => advance(nodes, stretch))
  await checks.step(`${when} all have the same head`, () =>
    eventually('the heads become the same', async () => {
      const height = Math.min(...(await Promise.all(nodes.map(heightOf))))
      const hashes = await Promise.all(nodes.map((node) => hashAt(node, height)))
      return hashes[0] !== undefined && new Set(hashes).size === 1
    }),
  )
}

async function run(trial: Trial, checks: Checks, folder: string): Promise<void> {
  const { consensus, validators, minority } = trial
  const lab = await openLab({ places: trial.nodes, weather, random: createRandom(seed) })
  try {
    const nodes = createConsortium(lab.places, { folder, consensus, validators })
    const all = [...nodes.keys()]
    const majority = all.filter((i) => !minority.includes(i))
    const [main, cut] = [majority.map((i) => nodes[i]!), minority.map((i) => nodes[i]!)]
    await stopAll(nodes, async () => {
      for (const node of nodes) node.start()
      await checks.step('all find each other and make blocks', () => reach(nodes, stretch))
      await transfer(checks, nodes.at(-1)!, nodes, { nonce: 0n, gasPrice: 0n })

      lab.switchboard.partition(majority, minority)
      await checks.step('most go on without the others', () => advance(main, 2 * stretch))
      const [ahead, behind] = [Math.min(...(await heights(main))), Math.max(...(await heights(cut)))]
      checks.equal(`those cut off (at ${behind}) fall behind the others (at ${ahead})`, behind < ahead, true)
      lab.switchboard.partition()
      await converge(checks, nodes, 'after that')

      if (validators > 1) {
        lab.switchboard.partition(
          all.filter((i) => i % 2 === 0),
          all.filter((i) => i % 2 === 1),
        )
        await checks.step('neither half goes on for long', () => standstill(nodes))
        lab.switchboard.partition()
        await converge(checks, nodes, 'after that again')
      }
      await sameBlocks(checks, nodes, 1, Math.min(...(await heights(nodes))) - stretch)
      const { delivered, lost, stopped } = lab.switchboard.counts()
      checks.equal(
        `${delivered} frames were delivered, ${lost} lost, ${stopped} stopped by partitions`,
        [delivered, lost, stopped].every((count) => count > 0),
        true,
      )
    })
  } finally {
    await lab.close()
  }
}

const heights = (nodes: readonly RpcNode[]) => Promise.all(nodes.map(heightOf))

/** Waits until no head moves during the time of several blocks. */
function standstill(nodes: readonly RpcNode[]): Promise<boolean> {
  let last = ''
  let since = Date.now()
  return eventually('all stand still', async () => {
    const now = String(await heights(nodes))
    if (now !== last) since = Date.now()
    last = now
    return Date.now() - since > 10_000
  })
}

export const netns: Interop = {
  name: 'netns',
  doc: 'Two, then ten nodes in network namespaces: delay, loss, reordering and partitions.',
  async whyNot() {
    try {
      const lab = await openLab({ places: 1, weather: calm, random: Math.random })
      await lab.close()
      return undefined
    } catch (error) {
      if (error instanceof NoLab) return `there are no network namespaces and tunnels to be had (${error.message})`
      throw error
    }
  },
  async run({ checks, folder }) {
    for (const trial of trials) {
      const { consensus, nodes } = trial
      const name = `${nodes} nodes, ${consensus}`
      const named: Checks = {
        ...checks,
        equal: (what, ...rest) => checks.equal(`${name}: ${what}`, ...rest),
        step: (what, action) => checks.step(`${name}: ${what}`, action),
      }
      await run(trial, named, join(folder, `${consensus}${nodes}`))
    }
  },
}
