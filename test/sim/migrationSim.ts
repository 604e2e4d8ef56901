import { bftBlockHash } from '../../src/consensus/bft/bftHash.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import type { MessageReading } from '../../src/consensus/bft/readMessage.ts'
import { kindOf } from '../../src/consensus/bft/readMessage.ts'
import { ibft2Protocol } from '../../src/consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../src/consensus/qbft/qbftProtocol.ts'
import { type Address, equalBytes, keyOf } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Block } from '../../src/types/block.ts'
import { type BftChecks, createBftChecks } from './bftChecks.ts'
import { drawFaults, type FaultName } from './faults.ts'
import { createLinks } from './links.ts'
import {
  checkFinal,
  createMigrationLaw,
  type FirstEngine,
  type MigrationSetting,
  protocolAt,
  validatorsAt,
} from './migrationLaw.ts'
import { createMigrationNode, type MigrationNode, type MigrationTrade } from './migrationNode.ts'
import type { RunFigures, RunOptions } from './run.ts'
import { createSharedReading } from './sharedReading.ts'
import { createRememberingCrypto } from './simCrypto.ts'
import { createWorld, Violation } from './world.ts'

/** QBFT blocks that everyone has to have at the end. */
const gain = 3
const syncEvery = 1500
const pullEvery = 200
const settling = 30_000
/** Periods in which Clique has to reach its last block. */
const patience = 60
const networkTime = 2000
/** Tried elsewhere, with networks that keep their engine. */
const otherFaults: readonly FaultName[] = ['votes', 'clock', 'stranger', 'topology', 'contract', 'away', 'large']

/** One run of a network that changes its engine; throws a Violation. */
export function runMigration(from: FirstEngine, options: RunOptions, trade: MigrationTrade = {}): RunFigures {
  const { keys, seed, allowed, trace } = options
  const world = createWorld(seed, trace)
  const { random } = world
  const faults = drawFaults(random, keys.length, new Set([...allowed].filter((fault) => !otherFaults.includes(fault))))
  const links = createLinks(world, faults)
  // Around the time when it heals, so that restarts and partitions meet it.
  const expected = Math.floor((faults.healAt - world.now()) / 1000)
  // One that does not know of the change, where one may be wrong.
  const backward = faults.has('byzantine') && keys.length > 3 ? random.below(keys.length) : -1
  const named =
    faults.has('transitions') && keys.length > 1
      ? keys.filter((_, index) => index !== backward && random.percent(70))
      : []
  const setting: MigrationSetting = {
    from,
    keys,
    startBlock: random.between(2, Math.max(3, Math.min(12, expected))),
    period: 1,
    requestTimeoutSeconds: random.between(2, 3),
    named: named.length > 0 ? named : undefined,
  }
  const startBlock = BigInt(setting.startBlock)
  const forgetful = backward < 0 && (named.length || keys.length) > 3 ? random.below(keys.length) : -1
  // Seals are checked by the engines themselves: nothing but real signatures does.
  const signatures = createRememberingCrypto()
  const { recover } = signatures.of(keys[0]!)
  const law = createMigrationLaw(setting)
  const later = trade.oldIsValid
    ? createMigrationLaw({ ...setting, startBlock: setting.startBlock + trade.oldIsValid })
    : law
  const isHealed = () => world.now() >= faults.healAt
  let isOver = false

  const readings = new Map<BftProtocol, MessageReading>(
    [ibft2Protocol, qbftProtocol].map((protocol) => [protocol, createSharedReading(protocol, signatures.of(keys[0]!))]),
  )
  const byzantine = new Set(backward < 0 ? [] : [keyOf(keys[backward]!.address)])
  const checksOf = (protocol: BftProtocol): BftChecks => {
    const parent = { ...law.genesis, header: { ...law.genesis.header, number: startBlock - 1n } }
    const genesis = from === 'clique' ? parent : law.genesis
    const validatorsAfter: typeof law.engine.validatorsAfter = ({ header }) => validatorsAt(setting, header.number + 1n)
    return createBftChecks(
      protocol,
      {
        genesis,
        hashOf: (header) => bftBlockHash(protocol.codec, header),
        validatorsAfter: (head) => validatorsAfter(head, law.view),
      },
      byzantine,
    )
  }
  const checks = new Map([ibft2Protocol, qbftProtocol].map((protocol) => [protocol, checksOf(protocol)]))
  const indexes = new Map(keys.map(({ address }, index) => [keyOf(address), index]))
  const indexOf = (address: Address) => indexes.get(keyOf(address)) ?? -1
  const sealed = new Map<string, string>()
  const nextPulls = new Map<number, number>()

  function say(index: number, protocol: BftProtocol, code: number, data: Uint8Array, to: Address | undefined): void {
    const kind = kindOf(protocol, code)!
    const message = readings.get(protocol)!.read(kind, data, keys.length)
    const { height, round } = message.signed.payload
    world.note(() => `v${index} sends ${protocol.name} ${kind} ${height}/${round}`)
    checks.get(protocol)!.onWire(message, data)
    if (index !== backward) {
      if (protocolAt(setting, height) !== protocol)
        throw new Violation(`${protocol.name} goes on past its end: v${index} at ${height}`)
      const { address } = keys[index]!
      if (equalBytes(message.signed.author, address)) checks.get(protocol)!.onSend(message, data, address)
    }
    for (const other of to ? [indexOf(to)] : keys.keys())
      if (other !== index && other >= 0)
        links.carry(index, other, () => nodes[other]!.receive(protocol, code, data, keys[index]!.address))
  }

  function pull(index: number, from: number): void {
    if (from < 0 || from === index || world.now() < (nextPulls.get(index) ?? 0)) return
    nextPulls.set(index, world.now() + pullEvery)
    links.carry(index, from, () => {
      const blocks = nodes[from]!.isUp() ? nodes[from]!.blocksFor(nodes[index]!) : []
      if (blocks.length > 0) links.carry(from, index, () => nodes[index]!.receiveBlocks(blocks, keys[from]!.address))
    })
  }

  function onSeal(index: number, { header }: Block): void {
    if (index === backward) return
    if (header.number >= startBlock) throw new Violation(`clique goes on past its end: v${index} at ${header.number}`)
    const place = `${index} ${keyOf(header.parentHash)}`
    const hash = keyOf(law.engine.hash(header))
    if ((sealed.get(place) ?? hash) !== hash)
      throw new Violation(`two blocks of v${index} on one parent: ${header.number}`)
    sealed.set(place, hash)
  }

  function createNode(index: number): MigrationNode {
    const key = keys[index]!
    const isBackward = index === backward
    const node: MigrationNode = createMigrationNode({
      world,
      setting,
      law: isBackward ? law : later,
      key,
      name: `v${index}`,
      crypto: signatures.of(key),
      readingOf: (protocol) => readings.get(protocol)!,
      trade: isBackward ? { oldGoesOn: 1000 } : trade,
      skew: () => faults.skewOf(index, world.now()),
      dies() {
        if (isBackward || faults.crashes === 0 || isHealed() || !random.percent(faults.crashes)) return false
        world.at(Math.min(world.now() + random.between(50, 5000), faults.healAt), () => start(node))
        return true
      },
      // Who forgets what it has signed is one of those who may be wrong.
      forgets: () => index === forgetful && random.percent(30),
      fails: (part) =>
        faults.failures.some(
          (one) => one.index === index && one.part === part && one.from <= world.now() && world.now() < one.to,
        ),
      say: (protocol, code, data, to) => say(index, protocol, code, data, to),
      announce(block) {
        for (const to of keys.keys())
          if (to !== index) links.carry(index, to, () => nodes[to]!.receiveBlocks([block], key.address))
      },
      onSeal: (block) => onSeal(index, block),
      onImport(entry) {
        if (isBackward) return
        checkFinal(setting, entry.header, recover)
        if (protocolAt(setting, entry.header.number)) for (const one of checks.values()) one.onImport(entry)
      },
      onBehind: (from) => pull(index, indexOf(from)),
      isOver: () => isOver,
    })
    return node
  }

  const nodes: readonly MigrationNode[] = keys.map((_, index) => createNode(index))
  const honest = nodes.filter((_, index) => index !== backward)
  const heights = () => honest.map((node) => node.head().header.number)

  function connect(a: number, b: number): void {
    const [one, other] = [nodes[a]!, nodes[b]!]
    if (a === b || !one.isUp() || !other.isUp()) return
    one.onLink(other.key.address)
    other.onLink(one.key.address)
    pull(a, b)
    pull(b, a)
  }

  function start(node: MigrationNode): void {
    if (node.isUp()) return
    node.start()
    for (const other of keys.keys()) connect(nodes.indexOf(node), other)
  }

  function connectAll(isFor: (a: number, b: number) => boolean): void {
    for (const a of keys.keys()) for (const b of keys.keys()) if (a < b && isFor(a, b)) connect(a, b)
  }

  function keepInSync(index: number): void {
    world.at(world.now() + syncEvery + random.below(syncEvery), () => {
      if (nodes[index]!.isUp()) pull(index, random.below(keys.length))
      keepInSync(index)
    })
  }

  function reach(number: bigint, within: number): void {
    if (world.run(() => heights().every((height) => height >= number), world.now() + within)) return
    const at = honest.map((node) => `${node.head().header.number} ${toHex(node.head().hash).slice(2, 10)}`).join(', ')
    throw new Violation(`stands still after healing: no block ${number} within ${within / 1000} s, heads ${at}`)
  }

  world.note(() => `QBFT from block ${startBlock}; ${backward < 0 ? 'nobody' : `v${backward}`} does not know of it`)
  for (const [index, node] of nodes.entries()) {
    world.at(world.now() + random.below(1000), () => start(node))
    keepInSync(index)
  }
  for (const { to, sides } of faults.partitions) world.at(to, () => connectAll((a, b) => sides[a] !== sides[b]))
  for (const { from: time, to, members } of faults.outages) {
    world.at(time, () => {
      for (const index of members) if (nodes[index]!.isUp()) nodes[index]!.crash()
    })
    world.at(to, () => {
      for (const index of members) start(nodes[index]!)
    })
  }

  world.run(() => false, faults.healAt)
  for (const node of nodes) start(node)
  connectAll(() => true)
  const highest = heights().reduce((a, b) => (a > b ? a : b))
  world.note(() => `healed at height ${highest}`)
  const timeout = setting.requestTimeoutSeconds * 1000
  const clocks = faults.maxSkew > 0 ? faults.maxSkew + 1000 : 0
  const wasted = backward < 0 ? 0 : 2 * timeout
  const failures = faults.isQuiet ? Math.max(16 * timeout, 60_000) : 0
  const bound = 2 * timeout + setting.period * 1000 + networkTime + wasted + clocks + failures
  if (from === 'clique' && highest < startBlock) reach(startBlock, patience * setting.period * 1000 + bound)
  const first = from === 'clique' && highest < startBlock ? startBlock + 1n : highest + 1n
  const last = (highest > startBlock ? highest : startBlock) + BigInt(gain)
  for (let number = first; number <= last; number++) reach(number, bound)
  isOver = true
  world.run(() => false, world.now() + settling)
  const heads = new Set(honest.map((node) => keyOf(node.head().hash)))
  if (heads.size > 1) throw new Violation(`${heads.size} heads after all has settled`)
  return { heights: Number(last), messages: links.sent(), steps: world.steps() }
}
