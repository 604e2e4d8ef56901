import { createBftMachine } from '../../src/consensus/bft/bftMachine.ts'
import { createBftReader } from '../../src/consensus/bft/bftReader.ts'
import type { BftMachine, BftMachineParts } from '../../src/consensus/bft/machine.ts'
import type { BftMessage } from '../../src/consensus/bft/messages.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { kindOf, readMessage } from '../../src/consensus/bft/readMessage.ts'
import { ibft2Protocol } from '../../src/consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../src/consensus/qbft/qbftProtocol.ts'
import { indexOfValidator } from '../../src/consensus/voting/tally.ts'
import { type Address, equalBytes, keyOf } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Block } from '../../src/types/block.ts'
import type { Authority } from '../support/authorityChain.ts'
import { createBftChecks } from './bftChecks.ts'
import { createBftLaw } from './bftLaw.ts'
import { type BftLiar, createBftLiar } from './bftLiar.ts'
import { type BftNode, createBftNode } from './bftNode.ts'
import { drawBftSetting } from './bftSetting.ts'
import { drawFaults } from './faults.ts'
import { createLinks } from './links.ts'
import type { RunFigures, RunOptions } from './run.ts'
import { createSimCrypto } from './simCrypto.ts'
import { createWorld, Violation } from './world.ts'

/** Heights that everyone has to gain once nothing goes wrong any more. */
const gain = 3n
/** Milliseconds between looks at what a peer has. */
const syncEvery = 1500
const pullEvery = 200

/** A machine of an honest validator; other ones show that the simulator can see. */
export type MakeBftMachine = (parts: BftMachineParts) => BftMachine

function describe({ kind, signed }: BftMessage): string {
  const { payload } = signed
  const digest = 'digest' in payload ? ` ${toHex(payload.digest).slice(2, 10)}` : ''
  const claim = 'claim' in payload && payload.claim ? `, prepared in ${payload.claim.round}` : ''
  return `${kind} ${payload.height}/${payload.round}${digest}${claim}`
}

/** One run of an IBFT 2.0 or QBFT network; throws a Violation. */
export function runBft(
  kind: BftProtocol['name'],
  options: RunOptions,
  createMachine: MakeBftMachine = createBftMachine,
): RunFigures {
  const { keys, seed, allowed, trace } = options
  const protocol = kind === 'qbft' ? qbftProtocol : ibft2Protocol
  const world = createWorld(seed, trace)
  const { random } = world
  const faults = drawFaults(random, keys.length, allowed)
  const setting = drawBftSetting(random, kind, keys, faults)
  const signatures = createSimCrypto(keys, options.realCrypto)
  const law = createBftLaw(protocol, setting, signatures.of(keys[0]!))
  const links = createLinks(world, faults)
  const reader = createBftReader(protocol, signatures.of(keys[0]!))
  const byzantine = new Set([...setting.byzantine.keys()].map((index) => keyOf(keys[index]!.address)))
  const checks = createBftChecks(protocol, law, byzantine)
  const isHealed = () => world.now() >= faults.healAt
  const liars = new Map<number, BftLiar>()
  const nextPulls = new Map<number, number>()

  function read(code: number, data: Uint8Array): BftMessage | undefined {
    const found = kindOf(protocol, code)
    try {
      return found && readMessage(protocol, found, data, reader)
    } catch {
      return undefined
    }
  }

  function deliver(from: number, to: number, code: number, data: Uint8Array): void {
    const node = nodes[to]!
    links.carry(from, to, () => {
      liars.get(to)?.hear(code, data)
      node.receive(code, data, keys[from]!.address)
    })
  }

  function sendTo(from: number, code: number, data: Uint8Array, isFor: (address: Address) => boolean): void {
    for (const [to, { address }] of keys.entries()) if (to !== from && isFor(address)) deliver(from, to, code, data)
  }

  const validatorsOf = (index: number) => law.validatorsAfter(nodes[index]!.head())

  function sayHonestly(index: number, code: number, data: Uint8Array, to: Address | undefined): void {
    const message = read(code, data)
    if (!message) throw new Violation(`v${index} sent what nobody can read`)
    world.note(() => `v${index} sends ${describe(message)}`)
    checks.onWire(message)
    // Others' words are passed on to whoever was away.
    if (equalBytes(message.signed.author, keys[index]!.address)) checks.onSend(message, data, keys[index]!.address)
    const validators = validatorsOf(index)
    sendTo(index, code, data, (address) => (to ? equalBytes(address, to) : indexOfValidator(validators, address) >= 0))
  }

  function sayFalsely(index: number, code: number, data: Uint8Array, to: readonly Authority[]): void {
    const message = read(code, data)
    world.note(() => `v${index} (byzantine) sends ${message ? describe(message) : 'garbage'} to ${to.length}`)
    if (message) checks.onWire(message)
    sendTo(index, code, data, (address) => to.some((one) => one.address === address))
  }

  function createLiar(index: number): BftLiar {
    const key = keys[index]!
    return createBftLiar({
      random,
      protocol,
      key,
      crypto: signatures.of(key),
      forging: (victim) => signatures.forging(key, victim.address),
      misdeeds: setting.byzantine.get(index)!,
      others: keys.filter((one) => one !== key),
      isHonest: (address) => !byzantine.has(keyOf(address)),
      rival(height, round, timestamp): Block | undefined {
        const parent = nodes[index]!.head()
        if (parent.header.number + 1n !== height) return undefined
        return law.build(key, { parent, round, timestamp }, undefined, random.bytes(4))
      },
      read,
      post: (code, data, to) => sayFalsely(index, code, data, to),
    })
  }

  /** Asks a peer for the blocks that are missing here, if nobody was asked just now. */
  function pull(index: number, from: number): void {
    if (from < 0 || from === index || world.now() < (nextPulls.get(index) ?? 0)) return
    nextPulls.set(index, world.now() + pullEvery)
    links.carry(index, from, () => {
      const next = nodes[index]!.head().header.number + 1n
      const blocks = nodes[from]!.isUp() ? nodes[from]!.blocksFrom(next) : []
      if (blocks.length > 0) links.carry(from, index, () => nodes[index]!.receiveBlocks(blocks, from))
    })
  }

  /** Connections to a node open when it starts, and all of them anew when nothing gets lost any more. */
  function start(node: BftNode): void {
    node.start()
    for (const other of nodes) if (other !== node) connect(node, other)
  }

  function connect(a: BftNode, b: BftNode): void {
    a.onLink(b.key.address)
    b.onLink(a.key.address)
  }

  function restartLater(node: BftNode): void {
    const at = Math.min(world.now() + random.between(50, 5000), faults.healAt)
    world.at(at, () => start(node))
  }

  function createNode(key: Authority, index: number): BftNode {
    const isHonest = !setting.byzantine.has(index)
    if (!isHonest) liars.set(index, createLiar(index))
    const node: BftNode = createBftNode({
      world,
      protocol,
      law,
      setting,
      key,
      crypto: signatures.of(key),
      createMachine: isHonest ? createMachine : createBftMachine,
      skew: () => (isHealed() ? 0 : faults.skews[index]!),
      dies() {
        if (!isHonest || faults.crashes === 0 || isHealed() || !random.percent(faults.crashes)) return false
        restartLater(node)
        return true
      },
      forgets: () => setting.forgetful.has(index) && random.percent(50),
      say: (code, data, to) => (isHonest ? sayHonestly(index, code, data, to) : liars.get(index)!.say(code, data)),
      gossip(code, data, except) {
        if (!faults.gossips) return
        const validators = validatorsOf(index)
        sendTo(
          index,
          code,
          data,
          (address) => indexOfValidator(validators, address) >= 0 && !except.some((one) => equalBytes(one, address)),
        )
      },
      announce(block) {
        for (const to of keys.keys())
          if (to !== index) links.carry(index, to, () => nodes[to]!.receiveBlocks([block], index))
      },
      onImport: (block) => isHonest && checks.onImport(block),
      onBehind: (from) => pull(index, from),
    })
    return node
  }

  const nodes: readonly BftNode[] = keys.map(createNode)
  const honest = nodes.filter((_, index) => !setting.byzantine.has(index))
  const heights = (list: readonly BftNode[]) => list.map((node) => node.head().header.number)

  function keepInSync(index: number): void {
    world.at(world.now() + syncEvery + random.below(syncEvery), () => {
      if (nodes[index]!.isUp()) pull(index, random.below(keys.length))
      keepInSync(index)
    })
  }

  world.note(
    () => `byzantine: ${[...setting.byzantine].map(([i, deeds]) => `v${i} ${[...deeds]}`).join('; ') || 'none'}`,
  )
  for (const { at, subject, add } of setting.campaigns)
    world.at(at, () => {
      for (const { votes } of honest) votes.propose(subject.address, add)
    })
  for (const [index, node] of nodes.entries()) {
    world.at(world.now() + random.below(1000), () => start(node))
    keepInSync(index)
  }

  world.run(() => false, faults.healAt)
  for (const a of nodes) for (const b of nodes) if (a !== b) a.onLink(b.key.address)
  const highest = heights(honest).reduce((a, b) => (a > b ? a : b))
  const round = Math.max(0, ...honest.map((node) => node.round()))
  // Everyone has to get past the rounds that are under way, and past those of byzantine proposers.
  const patience = setting.config.requestTimeoutSeconds * 1000 * (2 ** (round + 6) + Number(gain) * 2 ** 5)
  world.note(() => `healed at height ${highest}, round ${round}`)
  const isLive = () => heights(honest).every((number) => number >= highest + gain)
  if (!world.run(isLive, faults.healAt + patience))
    throw new Violation(`stands still after healing: heights ${heights(honest).join(' ')}, ${highest} when healed`)
  return { heights: Number(highest + gain), messages: links.sent(), steps: world.steps() }
}
