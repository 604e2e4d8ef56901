import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { type Address, equalBytes, keyOf } from '../../src/primitives/bytes.ts'
import { type AilingWays, ailingTrade, besuTrade, clockOf, createAilingWays, type LimpFault } from './ailing.ts'
import { type BftNet, createBftNet } from './bftNet.ts'
import type { BftNode, BftTrade } from './bftNode.ts'
import { proposerOf } from './justification.ts'
import { plainSetting } from './plainSetting.ts'
import { createSimCrypto } from './simCrypto.ts'
import { createWorld, Violation, type World } from './world.ts'

/** A network in which as many as may be faulty are not well. */
export interface Limp {
  readonly kind: BftProtocol['name']
  readonly validators: number
  readonly requestTimeoutSeconds: number
  readonly fault: LimpFault
  /** How many are not of Quoin; none unless said otherwise. */
  readonly besus?: number | undefined
  /** Milliseconds between blocks; a second unless said otherwise. */
  readonly period?: number
}

/** What came of it. */
export interface LimpResult {
  /** Blocks per block that was due, from the second turn on that was missed. */
  readonly share: number
  /** Blocks that those who are not well have proposed, per block that was their turn. */
  readonly ownShare: number
  /** Proposers that are well and were passed over all the same, per block. */
  readonly passedOver: number
  /** Milliseconds of the longest time without a block, and of that before the second turn was missed. */
  readonly gap: number
  readonly firstGap: number
}

/** One block: whose turn it was in round 0, and who was passed over before it was made. */
interface Turn {
  readonly proposer: Address
  readonly passedOver: readonly Address[]
}

const second = 1000
/** Milliseconds in which all are well, and in which the first turns are missed at the latest; periods that are counted. */
const wellTime = 20_000
const firstMisses = 60_000
const countedPeriods = 300
/** Milliseconds for which a validator is there, and not there. */
const flaps: Partial<Record<LimpFault, readonly [number, number]>> = {
  flapping: [9000, 6000],
  stuttering: [3000, 3000],
}
/** Turns within which one that is well again has to propose. */
const returnTurns = 3

class LimpRun {
  private readonly terms: Limp
  private readonly world: World
  private readonly period: number
  private readonly addresses: readonly Address[]
  private readonly ways: AilingWays
  private readonly net: BftNet
  private readonly ill: readonly BftNode[]
  private readonly well: readonly BftNode[]

  constructor(terms: Limp, world: World, trade: BftTrade) {
    this.terms = terms
    this.world = world
    const { validators, fault } = terms
    const { random } = world
    this.period = terms.period ?? second
    const setting = plainSetting({ ...terms, blockPeriodSeconds: 1, blockPeriodMilliseconds: terms.period })
    this.addresses = setting.keys.map(({ address }) => address)
    const count = Math.max(1, Math.floor((validators - 1) / 3))
    // In a row, or apart.
    const [first, step] = [random.below(validators), random.between(1, 2)]
    const faulty = new Set(Array.from({ length: count }, (_, i) => (first + i * step) % validators))
    const ways = createAilingWays(world, fault, faulty)
    const ailing = ailingTrade(fault, ways.isOn)
    // Which of them is not well is chance.
    const trades = new Map<number, BftTrade>(Array.from({ length: terms.besus ?? 0 }, (_, i) => [2 * i, besuTrade]))
    if (ailing) for (const index of faulty) trades.set(index, ailing)
    this.ways = ways
    this.net = createBftNet({
      world,
      setting,
      signatures: createSimCrypto(setting.keys, false),
      trade,
      trades,
      carry: ways.carry,
      isLinked: () => true,
      gossips: true,
      trouble: (index) => ({
        skew: () => (ways.isOn() && faulty.has(index) ? clockOf(fault) : 0),
        dies: () => false,
        forgets: () => false,
        fails: () => false,
      }),
    })
    this.ill = this.net.nodes.filter((_, index) => faulty.has(index))
    this.well = this.net.nodes.filter((_, index) => !faulty.has(index))
  }

  private height(): bigint {
    return this.well.map((node) => node.head().header.number).reduce((a, b) => (a > b ? a : b))
  }

  private isIll(address: Address): boolean {
    return this.ill.some(({ key }) => equalBytes(key.address, address))
  }

  /** The turns from one height on. */
  private turnsFrom(from: bigint): readonly Turn[] {
    const chain = this.well[0]!.blocksFrom(from - 1n).map(({ header }) => header)
    return chain.slice(1).map((header, i) => {
      const parent = { header: chain[i]!, hash: header.parentHash }
      const order = this.addresses.map((_, round) => proposerOf(this.addresses, parent, round))
      const taken = order.findIndex((one) => equalBytes(one, header.beneficiary))
      return { proposer: order[0]!, passedOver: order.slice(0, taken) }
    })
  }

  private keepInSync(index: number): void {
    const { world, net } = this
    world.at(world.now() + 1000 + world.random.below(500), () => {
      if (net.nodes[index]!.isUp()) net.pull(index, world.random.below(net.nodes.length))
      this.keepInSync(index)
    })
  }

  private comeAndGo([there, away]: readonly [number, number]): void {
    const { world, ways } = this
    world.at(world.now() + world.random.between(there / 2, there), () => {
      if (!ways.isOn()) return
      if (this.terms.fault === 'flapping') for (const node of this.ill) node.crash()
      else ways.setAway(true)
      world.at(world.now() + world.random.between(away / 2, away), () => {
        this.comeBack()
        this.comeAndGo([there, away])
      })
    })
  }

  private comeBack(): void {
    this.ways.setAway(false)
    for (const node of this.ill) this.net.start(node)
  }

  /** Goes on from block to block; gives the longest time without one. */
  private follow(until: number, isEnough: () => boolean): number {
    const { world } = this
    let gap = 0
    while (world.now() < until && !isEnough()) {
      const [seen, last] = [this.height(), world.now()]
      world.run(() => this.height() > seen, until)
      gap = Math.max(gap, world.now() - last)
    }
    return gap
  }

  /** Whether each of those who are not well has missed a turn since a height. */
  private haveMissed(since: bigint): boolean {
    const missed = this.turnsFrom(since).flatMap(({ passedOver }) => passedOver.filter((one) => this.isIll(one)))
    return new Set(missed.map(keyOf)).size >= this.ill.length
  }

  private begin(): void {
    const { world, ways, terms } = this
    for (const [index, node] of this.net.nodes.entries()) {
      this.net.start(node)
      this.keepInSync(index)
    }
    world.run(() => false, world.now() + wellTime + world.random.below(terms.validators * this.period))
    ways.begin()
    world.note(() => `from now on not well (${terms.fault}): ${this.ill.map(({ name }) => name)}`)
    if (terms.fault === 'dead') for (const node of this.ill) node.crash()
    const times = flaps[terms.fault]
    if (times) this.comeAndGo(times)
  }

  /** Those who are well again propose when their turn comes. */
  private checkReturn(): void {
    this.ways.end()
    this.comeBack()
    const { fault, requestTimeoutSeconds, validators } = this.terms
    const back = this.height()
    const isBack = () => {
      const turns = this.turnsFrom(back).filter(({ passedOver }) => passedOver.length === 0)
      return this.ill.every(({ key }) => turns.some(({ proposer }) => equalBytes(proposer, key.address)))
    }
    const time = requestTimeoutSeconds * 1000 + Math.abs(clockOf(fault)) + returnTurns * validators * this.period
    this.follow(this.world.now() + time, isBack)
    if (!isBack()) throw new Violation('those who are well again do not get their turns')
  }

  run(): LimpResult {
    const { world } = this
    this.begin()
    const began = this.height()
    const firstGap = this.follow(world.now() + firstMisses, () => this.haveMissed(began))
    const from = this.height()
    const gap = this.follow(world.now() + countedPeriods * this.period, () => false)
    const turns = this.turnsFrom(from + 1n)
    const own = turns.filter(({ proposer }) => this.isIll(proposer))
    const wronged = turns.flatMap(({ passedOver }) => passedOver.filter((one) => !this.isIll(one)))
    const share = turns.length / countedPeriods
    const ownShare = own.filter(({ passedOver }) => passedOver.length === 0).length / Math.max(1, own.length)
    this.checkReturn()
    return { share, ownShare, passedOver: wronged.length / Math.max(1, turns.length), gap, firstGap }
  }
}

/** Runs a network of which some are not well, and then well again; throws a Violation. */
export function limp(terms: Limp, seed: number, trade: BftTrade = {}, trace?: (line: string) => void): LimpResult {
  return new LimpRun(terms, createWorld(seed, trace), trade).run()
}
