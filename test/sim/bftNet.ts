import { createBftMachine } from '../../src/consensus/bft/bftMachine.ts'
import type { BftMessage } from '../../src/consensus/bft/messages.ts'
import { readProposedBlock } from '../../src/consensus/bft/proposedBlock.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { kindOf } from '../../src/consensus/bft/readMessage.ts'
import { ibft2Protocol } from '../../src/consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../src/consensus/qbft/qbftProtocol.ts'
import { type Address, equalBytes, keyOf } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { decodeRlp, rlpBytes, rlpList } from '../../src/primitives/rlp.ts'
import type { Block } from '../../src/types/block.ts'
import type { Authority } from '../support/authorityChain.ts'
import { createBftChecks } from './bftChecks.ts'
import { createBftLaw } from './bftLaw.ts'
import { type BftLiar, createBftLiar } from './bftLiar.ts'
import { type BftNode, type BftNodeParts, type BftTrade, createBftNode } from './bftNode.ts'
import type { BftSetting } from './bftSetting.ts'
import { proposerOf } from './justification.ts'
import { createSharedReading } from './sharedReading.ts'
import type { SimCrypto } from './simCrypto.ts'
import { Violation, type World } from './world.ts'

/** Milliseconds between questions for blocks. */
const pullEvery = 200

export interface BftNetParts {
  readonly world: World
  readonly setting: BftSetting
  readonly signatures: SimCrypto
  readonly trade: BftTrade
  /** What single nodes are made of instead. */
  readonly trades?: ReadonlyMap<number, BftTrade> | undefined
  /** Takes something from one to another, if it gets there. */
  readonly carry: (from: number, to: number, arrive: () => void) => void
  /** Whether what one sends gets to the other without help; else others have to pass it on. */
  readonly isLinked: (from: number, to: number) => boolean
  /** Whether validators pass on what others send. */
  readonly gossips: boolean
  /** What goes wrong at an honest node. */
  readonly trouble: (index: number, node: () => BftNode) => Pick<BftNodeParts, 'skew' | 'dies' | 'forgets' | 'fails'>
}

/** The nodes of an IBFT 2.0 or QBFT network, and what passes between them. */
export interface BftNet {
  readonly nodes: readonly BftNode[]
  readonly honest: readonly BftNode[]
  /** Starts a node and opens its connections. */
  start(node: BftNode): void
  connect(a: BftNode, b: BftNode): void
  /** Asks a peer for the blocks that are missing here. */
  pull(index: number, from: number): void
  /** Bytes of one that is not a validator. */
  intrude(from: Address, to: number, code: number, data: Uint8Array): void
  /** Calls back with whatever an honest validator says, before others receive it. */
  overhear(listener: (data: Uint8Array) => void): void
  /** Messages that validators have sent, as often as they said them. */
  said(): number
}

function describe({ kind, signed }: BftMessage): string {
  const { payload } = signed
  const digest = 'digest' in payload ? ` ${toHex(payload.digest).slice(2, 10)}` : ''
  const claim = 'claim' in payload && payload.claim ? `, prepared in ${payload.claim.round}` : ''
  return `${kind} ${payload.height}/${payload.round}${digest}${claim}`
}

export function protocolOf(kind: BftProtocol['name']): BftProtocol {
  return kind === 'qbft' ? qbftProtocol : ibft2Protocol
}

export function createBftNet(parts: BftNetParts): BftNet {
  const { world, setting, signatures, trade, carry, isLinked } = parts
  const { random } = world
  const { keys } = setting
  const protocol = protocolOf(setting.config.kind)
  const law = createBftLaw(protocol, setting, signatures.of(keys[0]!))
  const reading = createSharedReading(protocol, signatures.of(keys[0]!))
  const indexes = new Map(keys.map(({ address }, index) => [keyOf(address), index]))
  const byzantine = new Set([...setting.byzantine.keys()].map((index) => keyOf(keys[index]!.address)))
  const checks = createBftChecks(protocol, law, byzantine)
  const liars = new Map<number, BftLiar>()
  const nextPulls = new Map<number, number>()
  const isMesh = keys.every((_, a) => keys.every((__, b) => a === b || isLinked(a, b)))
  let said = 0
  let listener: ((data: Uint8Array) => void) | undefined

  const indexOf = (address: Address) => indexes.get(keyOf(address)) ?? -1

  function read(code: number, data: Uint8Array): BftMessage | undefined {
    const kind = kindOf(protocol, code)
    try {
      return kind && reading.read(kind, data, keys.length)
    } catch {
      return undefined
    }
  }

  function deliver(from: number, to: number, code: number, data: Uint8Array): void {
    if (from === to || to < 0 || !isLinked(from, to)) return
    const node = nodes[to]!
    carry(from, to, () => {
      liars.get(to)?.receive(code, data)
      node.receive(code, data, keys[from]!.address)
    })
  }

  const validatorsOf = (index: number) => law.validatorsAfter(nodes[index]!.head())

  function tell(to: (data: Uint8Array) => void, data: Uint8Array): void {
    world.at(world.now() + 1, () => to(data))
  }

  function sayHonestly(index: number, code: number, data: Uint8Array, to: Address | undefined): void {
    const { address } = keys[index]!
    const message = read(code, data)
    if (!message) throw new Violation(`v${index} sent what nobody can read`)
    said++
    if (listener) tell(listener, data)
    world.note(() => `v${index} sends ${describe(message)}${to ? ` to v${indexOf(to)}` : ''}`)
    checks.onWire(message, data)
    // Others' words are passed on to those who were away.
    const isOwn = equalBytes(message.signed.author, address)
    if (isOwn && message.signed.payload.height > nodes[index]!.wipedAt()) checks.onSend(message, data, address)
    if (to) deliver(index, indexOf(to), code, data)
    else for (const validator of validatorsOf(index)) deliver(index, indexOf(validator), code, data)
  }

  /** One who is alone does not say again after a crash what it had proposed: the block is in its record. */
  function readRecord(record: Uint8Array): void {
    const prepared = rlpList(rlpList(decodeRlp(record))[5])
    if (prepared.length > 0) checks.onBlock(readProposedBlock(protocol.codec, rlpBytes(prepared[2])))
  }

  function sayFalsely(index: number, code: number, data: Uint8Array, to: readonly Authority[]): void {
    const message = read(code, data)
    world.note(() => `v${index} (byzantine) sends ${message ? describe(message) : 'garbage'} to ${to.length}`)
    if (message) checks.onWire(message, data)
    for (const { address } of to) deliver(index, indexOf(address), code, data)
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
      head: () => nodes[index]!.head(),
      build: (plan) => law.build(key, plan, undefined, random.bytes(4)),
      isTurn: (round) => equalBytes(proposerOf(validatorsOf(index), nodes[index]!.head(), round), key.address),
      read,
      post: (code, data, to) => sayFalsely(index, code, data, to),
    })
  }

  function pull(index: number, from: number): void {
    if (from < 0 || from === index || world.now() < (nextPulls.get(index) ?? 0)) return
    nextPulls.set(index, world.now() + pullEvery)
    fetchBlocks(index, from)
  }

  function fetchBlocks(index: number, from: number): void {
    if (!isLinked(index, from) || !isLinked(from, index)) return
    carry(index, from, () => {
      const next = nodes[index]!.head().header.number + 1n
      const blocks = nodes[from]!.isUp() ? nodes[from]!.blocksFrom(next) : []
      if (blocks.length > 0) carry(from, index, () => nodes[index]!.receiveBlocks(blocks, from))
    })
  }

  function connect(a: BftNode, b: BftNode): void {
    const [from, to] = [nodes.indexOf(a), nodes.indexOf(b)]
    if (a === b || !(isLinked(from, to) || isLinked(to, from)) || !a.isUp() || !b.isUp()) return
    a.onLink(b.key.address)
    b.onLink(a.key.address)
    // Nodes tell each other their heads when they connect.
    if (a.head().header.number < b.head().header.number) fetchBlocks(from, to)
    if (b.head().header.number < a.head().header.number) fetchBlocks(to, from)
  }

  /** The others see at once that a process has ended; of one whose machine is gone they see nothing. */
  function disconnect(index: number): void {
    if (random.percent(30)) return
    for (const other of nodes.keys())
      if (isLinked(other, index))
        carry(index, other, () => nodes[index]!.isUp() || nodes[other]!.onUnlink(keys[index]!.address))
  }

  function announce(index: number, block: Block, from: number | undefined): void {
    // Where all are connected, those who made a block have told everyone.
    if (from !== undefined && isMesh) return
    for (const to of keys.keys())
      if (to !== index && to !== from && isLinked(index, to))
        carry(index, to, () => nodes[to]!.receiveBlocks([block], index))
  }

  function createNode(key: Authority, index: number): BftNode {
    const isHonest = !setting.byzantine.has(index)
    if (!isHonest) liars.set(index, createLiar(index))
    const mine = isHonest ? (parts.trades?.get(index) ?? trade) : {}
    const gossips = parts.gossips && mine.gossips !== false
    const calm = { skew: () => 0, dies: () => false, forgets: () => false, fails: () => false }
    const node: BftNode = createBftNode({
      world,
      protocol,
      law,
      setting,
      key,
      crypto: signatures.of(key),
      reading,
      createMachine: mine.createMachine ?? createBftMachine,
      trade: mine,
      ...(isHonest ? parts.trouble(index, () => node) : calm),
      onCrash: () => disconnect(index),
      say: (code, data, to) => (isHonest ? sayHonestly(index, code, data, to) : liars.get(index)!.say(code, data)),
      passOn(code, data, isFor) {
        if (gossips) for (const [to, { address }] of keys.entries()) if (isFor(address)) deliver(index, to, code, data)
      },
      announce: (block, from) => announce(index, block, from),
      onRecord: (record) => validatorsOf(index).length === 1 && readRecord(record),
      onImport: (block) => isHonest && checks.onImport(block),
      onBehind: (from) => pull(index, indexOf(from)),
    })
    return node
  }

  const nodes: readonly BftNode[] = keys.map(createNode)
  return {
    nodes,
    honest: nodes.filter((_, index) => !setting.byzantine.has(index)),
    start(node) {
      if (node.isUp()) return
      node.start()
      for (const other of nodes) connect(node, other)
    },
    connect,
    pull,
    intrude: (from, to, code, data) => nodes[to]!.receive(code, data, from),
    overhear(next) {
      listener = next
    },
    said: () => said,
  }
}
