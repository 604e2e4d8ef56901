import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { createBftNet } from './bftNet.ts'
import type { BftNode, BftTrade } from './bftNode.ts'
import { plainSetting } from './plainSetting.ts'
import { createSimCrypto } from './simCrypto.ts'
import { createWorld, Violation } from './world.ts'

/** A network that loses its quorum for a time. */
export interface Outage {
  readonly kind: BftProtocol['name']
  readonly validators: number
  /** Milliseconds without a quorum. */
  readonly lasts: number
  /** As many as make a quorum again, or all. */
  readonly returns: 'one' | 'all'
  /** Whether those who were there all the time are restarted, too. */
  readonly restarts: boolean
  /** Whether those who return have lost their data folders. */
  readonly wipes?: boolean
  /** Seconds that empty blocks wait; there are no transactions. */
  readonly emptyBlockPeriodSeconds?: number
  /** Whether nobody could build a block for a while before, so that rounds are many. */
  readonly rounds?: boolean
  /** Milliseconds by which all clocks are set back just after the return. */
  readonly setBack?: number
  /** Milliseconds that every message takes all the time. */
  readonly delay?: number
  /** What validators at these places are made of, where they are not like the others. */
  readonly trades?: ReadonlyMap<number, BftTrade>
}

/** What a recovery came to. */
export interface Recovery {
  /** Milliseconds from the return of a quorum to the next block of everyone who is up. */
  readonly took: number
  /** Messages that each survivor said per request timeout of the outage. */
  readonly chatter: number
}

const requestTimeoutSeconds = 4
const blockPeriodSeconds = 1
const timeout = requestTimeoutSeconds * 1000
/** What messages take, and blocks that are missing. */
const networkTime = 1000

/** Milliseconds within which a quorum that is back has to make a block; at once where everyone is. */
export function maxRecovery({ returns, delay = 0, rounds = false, emptyBlockPeriodSeconds = 0 }: Outage): number {
  if (delay > 0) return slowStart
  const period = Math.max(blockPeriodSeconds, emptyBlockPeriodSeconds) * 1000
  return (returns === 'all' && !rounds ? 0 : 2 * timeout) + period + networkTime
}
/** Messages that a survivor may say per request timeout. */
export const maxChatter = 3

/** Milliseconds within which a block has to come on a network slower than the first round. */
const slowStart = 30 * timeout
/** Milliseconds in which rounds get many. */
const idleTime = 150_000
const setBackAfter = 300
const quickest = 5
const slowest = 50

/** Lets a network lose its quorum and get it back; `first` is the first of those who go. Throws a Violation. */
export function recover(outage: Outage, first: number, trade: BftTrade = {}, trace?: (line: string) => void): Recovery {
  const { validators, lasts, returns, restarts, wipes = false, rounds = false, setBack = 0, delay = 0, trades } = outage
  const world = createWorld(first + 1, trace)
  const { random } = world
  const setting = plainSetting({ ...outage, blockPeriodSeconds, requestTimeoutSeconds })
  const net = createBftNet({
    world,
    setting,
    signatures: createSimCrypto(setting.keys, false),
    trade,
    trades,
    carry: (_, __, arrive) => world.at(world.now() + delay + random.between(quickest, slowest), arrive),
    isLinked: () => true,
    gossips: true,
    trouble: () => ({
      skew: () => skew,
      dies: () => false,
      forgets: () => false,
      fails: (part) => part === 'build' && isIdle,
    }),
  })
  const { nodes } = net
  let isIdle = false
  let skew = 0
  const heightOf = (node: BftNode) => node.head().header.number

  function reach(height: bigint, among: readonly BftNode[], within: number): void {
    if (!world.run(() => among.every((node) => heightOf(node) >= height), world.now() + within))
      throw new Violation(`no block ${height} within ${within / 1000} s: heights ${nodes.map(heightOf).join(' ')}`)
  }

  for (const node of nodes) net.start(node)
  reach(3n, nodes, 3 * (slowStart + 1000 * (outage.emptyBlockPeriodSeconds ?? 1)))
  if (rounds) {
    isIdle = true
    world.run(() => false, world.now() + idleTime)
    isIdle = false
  }
  // No vote is under way: those who lose their data folders have signed nothing that matters.
  const count = validators - Math.ceil((2 * validators) / 3) + 1
  const away = Array.from({ length: count }, (_, i) => nodes[(first + i) % validators]!)
  const survivors = nodes.filter((node) => !away.includes(node))
  for (const node of away) node.crash()
  if (wipes) for (const node of away) node.wipe()
  const saidBefore = net.said()
  world.run(() => false, world.now() + lasts)
  const chatter = (net.said() - saidBefore) / Math.max(1, survivors.length) / (lasts / timeout)

  if (restarts) for (const node of survivors) node.crash()
  if (restarts) for (const node of survivors) net.start(node)
  for (const node of returns === 'all' ? away : away.slice(0, 1)) net.start(node)
  const up = nodes.filter((node) => node.isUp())
  const next = up.map(heightOf).reduce((a, b) => (a > b ? a : b)) + 1n
  const back = world.now()
  world.at(back + setBackAfter, () => {
    skew = -setBack
  })
  reach(next, up, 4 * lasts + 100 * timeout)
  return { took: world.now() - back, chatter }
}
