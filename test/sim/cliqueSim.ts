import type { HashedHeader } from '../../src/chain/view.ts'
import {
  type CliqueMachine,
  type CliqueMachineParts,
  createCliqueMachine,
} from '../../src/consensus/clique/cliqueMachine.ts'
import { cliqueDifficulty } from '../../src/consensus/clique/turns.ts'
import { equalValidators } from '../../src/consensus/voting/tally.ts'
import { type Address, equalBytes, keyOf } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Block } from '../../src/types/block.ts'
import { headerHash } from '../../src/types/header.ts'
import type { Authority } from '../support/authorityChain.ts'
import { type CliqueEntry, type CliqueLaw, createCliqueLaw } from './cliqueLaw.ts'
import { type CliqueNode, createCliqueNode } from './cliqueNode.ts'
import type { Miscount } from './elections.ts'
import { drawFaults, type FaultName } from './faults.ts'
import { createLinks } from './links.ts'
import type { RunFigures, RunOptions } from './run.ts'
import { createSimCrypto } from './simCrypto.ts'
import { createWorld, startTime, Violation } from './world.ts'

export type MakeCliqueMachine = (parts: CliqueMachineParts) => CliqueMachine

/** What an honest signer may do otherwise than it should; so that the simulator shows that it can see. */
export interface CliqueTrade {
  readonly createMachine?: MakeCliqueMachine
  readonly isBetter?: CliqueLaw['isBetter']
  readonly miscount?: Miscount
}

const gain = 8n
/** Heights that may still have many blocks, after all are well. */
const restless = 3n
/** Blocks per height, in percent, when everyone waits for the signer in turn. */
const maxRivals = 170
const syncEvery = 1500
const pullEvery = 200
/** Periods in which everyone has to gain those heights, and milliseconds that news take to reach everyone. */
const patience = 60
const settling = 30_000
/** What only BFT networks are tried with. */
const bftFaults: readonly FaultName[] = ['outage', 'clock', 'stranger', 'topology', 'contract']

/** Watches over what honest signers seal, and over every block that one of them takes. */
function createCliqueChecks(law: CliqueLaw) {
  const sealed = new Map<string, string>()
  const blocks = new Map<string, bigint>()
  return {
    /** Blocks of honest signers at some heights. */
    countBlocks: (from: bigint, to: bigint) => [...blocks.values()].filter((at) => at >= from && at < to).length,
    onSeal({ header }: Block, signer: Address): void {
      const place = keyOf(signer) + keyOf(header.parentHash)
      const hash = keyOf(headerHash(header))
      if ((sealed.get(place) ?? hash) !== hash)
        throw new Violation(`two blocks of one signer on one parent: height ${header.number}, ${toHex(signer)}`)
      sealed.set(place, hash)
      blocks.set(hash, header.number)
    },
    /** Nobody signs two of floor(n/2) + 1 blocks in a row. */
    onImport(entry: CliqueEntry): void {
      if (!equalValidators(law.signersAfter(entry), law.signersByCount(entry)))
        throw new Violation(`votes miscounted: height ${entry.header.number}`)
      const signer = law.engine.signerOf(entry.header)
      let at: HashedHeader = law.parentOf(entry)!
      const window = law.signersAfter(at).length >> 1
      for (let i = 0; i < window && at.header.number > 0n; i++) {
        if (equalBytes(law.engine.signerOf(at.header), signer))
          throw new Violation(`signed twice within ${window + 1} blocks: height ${entry.header.number}`)
        at = law.parentOf(at)!
      }
    },
  }
}

/** One run of a Clique network; throws a Violation. */
export function runClique(options: RunOptions, trade: CliqueTrade = {}): RunFigures {
  const { keys, seed, allowed, trace } = options
  const world = createWorld(seed, trace)
  const { random } = world
  const faults = drawFaults(random, keys.length, new Set([...allowed].filter((fault) => !bftFaults.includes(fault))))
  const signatures = createSimCrypto(keys, options.realCrypto)
  const config = {
    kind: 'clique' as const,
    blockPeriodSeconds: random.between(1, 2),
    epochLength: faults.has('votes') ? random.between(4, 12) : 30_000,
    createEmptyBlocks: true,
    transitions: [],
    successor: undefined,
  }
  const law = createCliqueLaw(config, keys, signatures)
  const links = createLinks(world, faults)
  const checks = createCliqueChecks(law)
  const nextPulls = new Map<number, number>()
  const isHealed = () => world.now() >= faults.healAt
  let isOver = false

  // The window of recent signers leaves somebody to go on as long as a majority does.
  const spare = keys.length - Math.floor(keys.length / 2) - 1
  const subject = faults.has('votes') && keys.length > 4 ? random.pick(keys) : undefined
  const idle = Math.max(0, spare - (subject ? 1 : 0))
  const byzantine = new Set<number>()
  const fallen = new Set<number>()
  for (let i = 0; i < idle; i++) {
    const index = random.below(keys.length)
    if (faults.has('byzantine') && random.percent(60)) byzantine.add(index)
    else if (faults.has('crash') && !byzantine.has(index)) fallen.add(index)
  }
  const isHonest = (index: number) => !byzantine.has(index)

  function pull(index: number, from: number): void {
    if (from === index || world.now() < (nextPulls.get(index) ?? 0)) return
    nextPulls.set(index, world.now() + pullEvery)
    links.carry(index, from, () => {
      const blocks = nodes[from]!.isUp() ? nodes[from]!.blocksFor(nodes[index]!) : []
      if (blocks.length > 0) links.carry(from, index, () => nodes[index]!.receiveBlocks(blocks, from))
    })
  }

  function announce(index: number, block: Block, isFor: (to: number) => boolean): void {
    for (const to of keys.keys())
      if (to !== index && isFor(to)) links.carry(index, to, () => nodes[to]!.receiveBlocks([block], index))
  }

  /** A second block on the parent of the first, one that is not its turn's, or nothing at all. */
  function announceFalsely(index: number, block: Block): void {
    const parent = law.entryOf(block.header.parentHash)!
    const { timestamp, difficulty } = block.header
    const plan = { parent, timestamp, difficulty, signers: law.signersAfter(parent) }
    const key = keys[index]!
    const side = keys.map(() => random.percent(50))
    switch (random.below(4)) {
      case 0:
        break
      case 1:
        announce(index, block, (to) => side[to]!)
        break
      case 2:
        announce(
          index,
          law.build(key, { ...plan, difficulty: 3n - difficulty }, undefined, random.bytes(4)),
          () => true,
        )
        break
      default:
        announce(index, block, (to) => side[to]!)
        announce(index, law.build(key, plan, undefined, random.bytes(4)), (to) => !side[to])
    }
  }

  /** Seals on whatever comes, without waiting for its time or turn. */
  function sealAtOnce(index: number, parent: CliqueEntry): void {
    const { address } = keys[index]!
    const signers = law.signersAfter(parent)
    const difficulty = cliqueDifficulty(parent.header.number + 1n, address, signers)
    if (difficulty === undefined || !random.percent(20) || isOver) return
    const timestamp = parent.header.timestamp + BigInt(config.blockPeriodSeconds)
    const block = law.build(keys[index]!, { parent, timestamp, difficulty, signers }, undefined, random.bytes(4))
    world.note(() => `v${index} (byzantine) seals block ${block.header.number} at once`)
    announce(index, block, () => random.percent(80))
  }

  function createNode(key: Authority, index: number): CliqueNode {
    const honest = isHonest(index)
    const node: CliqueNode = createCliqueNode({
      world,
      law,
      key,
      name: `v${index}`,
      blockPeriodSeconds: config.blockPeriodSeconds,
      createMachine: (honest && trade.createMachine) || createCliqueMachine,
      isBetter: (honest && trade.isBetter) || law.isBetter,
      signersAfter: honest && trade.miscount ? law.signersBy(trade.miscount) : law.signersAfter,
      skew: () => faults.skewOf(index, world.now()),
      dies() {
        if (!honest || faults.crashes === 0 || isHealed() || !random.percent(faults.crashes)) return false
        world.at(Math.min(world.now() + random.between(50, 5000), faults.healAt), node.start)
        return true
      },
      forgets: () => random.percent(30),
      fails: (part) =>
        faults.failures.some(
          (one) => one.index === index && one.part === part && one.from <= world.now() && world.now() < one.to,
        ),
      onSeal(block) {
        world.note(() => `v${index} seals block ${block.header.number} ${toHex(headerHash(block.header)).slice(2, 10)}`)
        if (honest) checks.onSeal(block, key.address)
      },
      onImport(entry) {
        if (honest) checks.onImport(entry)
        else sealAtOnce(index, entry)
      },
      announce: (block) => (honest ? announce(index, block, () => true) : announceFalsely(index, block)),
      onBehind: (from) => pull(index, from),
      isOver: () => isOver,
    })
    return node
  }

  const nodes: readonly CliqueNode[] = keys.map(createNode)
  const living = nodes.filter((_, index) => isHonest(index) && !fallen.has(index))
  const heights = () => living.map((node) => node.head().header.number)

  function keepInSync(index: number): void {
    world.at(world.now() + syncEvery + random.below(syncEvery), () => {
      if (nodes[index]!.isUp()) pull(index, random.below(keys.length))
      keepInSync(index)
    })
  }

  world.note(
    () => `byzantine: ${[...byzantine].join(' ') || 'none'}; down for good: ${[...fallen].join(' ') || 'none'}`,
  )
  if (subject)
    for (const turn of [0, 1])
      world.at(startTime + turn * 8000 + random.below(8000), () => {
        for (const { votes } of living) votes.propose(subject.address, turn === 1)
      })
  for (const [index, node] of nodes.entries()) {
    world.at(world.now() + random.below(1000), node.start)
    keepInSync(index)
  }
  for (const index of fallen) world.at(startTime + random.below(faults.healAt - startTime), () => nodes[index]!.crash())

  world.run(() => false, faults.healAt)
  for (const index of fallen) if (nodes[index]!.isUp()) nodes[index]!.crash()
  const highest = heights().reduce((a, b) => (a > b ? a : b))
  world.note(() => `healed at height ${highest}`)
  const isLive = () => heights().every((number) => number >= highest + gain)
  if (!world.run(isLive, faults.healAt + patience * config.blockPeriodSeconds * 1000))
    throw new Violation(`stands still after healing: heights ${heights().join(' ')}, ${highest} when healed`)

  const [calm, end] = [highest + restless, highest + gain]
  const made = checks.countBlocks(calm, end)
  if (byzantine.size + fallen.size === 0 && !subject && 100 * made > maxRivals * Number(end - calm))
    throw new Violation(`${made} blocks at ${end - calm} heights`)

  isOver = true
  world.run(() => false, world.now() + settling)
  const heads = new Set(living.map((node) => keyOf(node.head().hash)))
  if (heads.size > 1) throw new Violation(`${heads.size} heads after all has settled`)
  return { heights: Number(highest + gain), messages: links.sent(), steps: world.steps() }
}
