import type { HashedHeader } from '../../src/chain/view.ts'
import type { BftCrypto, BftEffect, BftMachine, BftMachineParts, BftTimer } from '../../src/consensus/bft/machine.ts'
import { createMessageGossip, type MessageGossipParts } from '../../src/consensus/bft/messageGossip.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import type { MessageReading } from '../../src/consensus/bft/readMessage.ts'
import type { MachineEffect } from '../../src/consensus/producing/machineDriver.ts'
import type { SignedRecord } from '../../src/consensus/producing/signedRecord.ts'
import { createVotes, type Votes } from '../../src/consensus/voting/votes.ts'
import { BlockError } from '../../src/execution/fault.ts'
import { type Address, never } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Block } from '../../src/types/block.ts'
import type { Authority } from '../support/authorityChain.ts'
import { type BftLaw, fromTheFuture } from './bftLaw.ts'
import type { BftSetting } from './bftSetting.ts'
import type { Miscount } from './elections.ts'
import { createSimDriver, type FailingPart, Injected, type SimDriver } from './simDriver.ts'
import { Violation, type World } from './world.ts'

export interface ChainBlock extends HashedHeader {
  /** Undefined for the block that everyone starts with. */
  readonly block: Block | undefined
}

/** What an honest validator's node may be made of instead; other parts than its own show that the simulator can see. */
export interface BftTrade {
  readonly createMachine?: (parts: BftMachineParts) => BftMachine
  readonly wrapRecord?: (record: SignedRecord) => SignedRecord
  /** Milliseconds for which a message of a later height makes a node wait for blocks. */
  readonly believesClaims?: number
  /** How a node counts votes instead. */
  readonly miscount?: Miscount
  /** Whether a node passes on what others say. */
  readonly gossips?: boolean
  readonly createGossip?: (parts: MessageGossipParts) => ReturnType<typeof createMessageGossip>
}

export interface BftNodeParts {
  readonly world: World
  readonly protocol: BftProtocol
  readonly law: BftLaw
  readonly setting: BftSetting
  readonly key: Authority
  readonly crypto: BftCrypto
  readonly reading: MessageReading
  readonly createMachine: (parts: BftMachineParts) => BftMachine
  readonly trade: BftTrade
  /** By how much the clock is ahead at the moment. */
  readonly skew: () => number
  /** Asked before each effect: whether the node dies there. */
  readonly dies: () => boolean
  /** Asked in a crash: whether the last block is lost, too. */
  readonly forgets: () => boolean
  /** Its connections are gone. */
  readonly onCrash: () => void
  readonly fails: (part: FailingPart) => boolean
  readonly say: (code: number, data: Uint8Array, to: Address | undefined) => void
  readonly passOn: MessageGossipParts['send']
  readonly announce: (block: Block, from: number | undefined) => void
  /** What was signed is on the disk, and not sent yet. */
  readonly onRecord: (record: Uint8Array) => void
  /** A block became the head. */
  readonly onImport: (block: HashedHeader) => void
  /** Somebody has blocks that are missing here. */
  readonly onBehind: (from: Address) => void
}

/** A validator's node: the machine, its driver, and a chain. Record and chain outlive a crash, all else is lost. */
export interface BftNode {
  readonly key: Authority
  readonly votes: Votes
  readonly name: string
  start(): void
  crash(): void
  /** Empties the data folder of a node that is down. */
  wipe(): void
  /** The height up to which it may sign again what it has forgotten. */
  wipedAt(): bigint
  isUp(): boolean
  head(): ChainBlock
  round(): number
  blocksFrom(number: bigint): readonly Block[]
  receive(code: number, data: Uint8Array, from: Address): void
  /** A way to another node has opened. */
  onLink(address: Address): void
  onUnlink(address: Address): void
  /** Takes the blocks that follow the head; `from` is who sent them. */
  receiveBlocks(blocks: readonly Block[], from: number): void
}

type OwnEffect = Exclude<BftEffect, MachineEffect<BftTimer>>

export function createBftNode(parts: BftNodeParts): BftNode {
  const { world, protocol, law, setting, key, trade } = parts
  const name = `v${setting.keys.indexOf(key)}`
  const votes = createVotes()
  const chain: ChainBlock[] = [{ ...law.genesis, block: undefined }]
  let record: Uint8Array | undefined
  let driver: SimDriver | undefined
  let machine: BftMachine | undefined
  let gossip: ReturnType<typeof createMessageGossip> | undefined
  let believesUntil = 0
  let wipedAt = 0n

  const validatorsAfter = trade.miscount ? law.validatorsBy(trade.miscount) : law.validatorsByNode
  const head = () => chain.at(-1)!
  const localNow = () => world.now() + parts.skew()

  function crash(): void {
    const hasForgotten = chain.length > 1 && parts.forgets()
    if (hasForgotten) chain.pop()
    world.note(() => `${name} crashes${hasForgotten ? ' and forgets its last block' : ''}`)
    driver?.stop()
    driver = undefined
    machine = undefined
    gossip = undefined
    parts.onCrash()
  }

  function perform(effect: OwnEffect): void {
    switch (effect.type) {
      case 'send':
        parts.say(effect.code, effect.data, effect.to)
        break
      case 'gossip':
        gossip?.(effect)
        break
      case 'peerAhead':
        believesUntil = world.now() + (trade.believesClaims ?? 0)
        parts.onBehind(effect.address)
        break
      case 'foreign':
        // No key is used twice here, and only liars contradict what their own machines say.
        if (!setting.byzantine.has(setting.keys.indexOf(key)))
          world.fail(new Violation(`${name} takes its own word for another's: ${effect.word.kind}`))
        break
      case 'rubbish':
      case 'invalid':
      case 'turn':
      case 'encoding':
      case 'closed':
        break
      default:
        never(effect)
    }
  }

  const faultOf = (block: Block) => law.faultOf(block, head(), localNow()) ?? law.sealFaultOf(block, head())

  function append(block: Block): void {
    const { header } = block
    const sealed = { header, hash: law.hashOf(header), block }
    chain.push(sealed)
    law.remember(sealed)
    world.note(() => `${name} imports block ${header.number} ${toHex(sealed.hash).slice(2, 10)}`)
    parts.onImport(sealed)
  }

  function importOwn(block: Block): void {
    // Another way may have been shorter.
    if (block.header.number <= head().header.number) return
    const fault = faultOf(block)
    // A clock that was set back makes even a final block wait.
    if (fault === fromTheFuture) throw new BlockError({ code: 'SEAL_INVALID' })
    if (fault) throw new Violation(`${name} took block ${block.header.number} for final: ${fault}`)
    append(block)
    driver?.onHead()
  }

  function createMachine(restored: Uint8Array | undefined): BftMachine {
    machine = parts.createMachine({
      protocol,
      address: key.address,
      crypto: parts.crypto,
      reading: parts.reading,
      blocks: {
        build(plan) {
          if (parts.fails('build')) throw new Injected('build fails')
          return law.build(key, plan, votes, world.random.bytes(4))
        },
        flawOf(block, parent) {
          const reason = law.faultOf(block, parent, localNow())
          return reason === undefined ? undefined : { reason }
        },
        hasTransactions: setting.hasTransactions,
      },
      // A contract that cannot be called names nobody.
      validatorsAfter: (at) => (setting.contract && parts.fails('contract') ? [] : validatorsAfter(at)),
      timingAt: law.timingAt,
      requestTimeoutSeconds: setting.config.requestTimeoutSeconds,
      limits: setting.config.messageLimits,
      restored,
    })
    return machine
  }

  /** The node's own, which forgets what it holds when the node dies. */
  function createGossip(): ReturnType<typeof createMessageGossip> {
    const created: ReturnType<typeof createMessageGossip> = (trade.createGossip ?? createMessageGossip)({
      clock: {
        now: localNow,
        after(milliseconds, action) {
          world.at(world.now() + milliseconds, () => gossip === created && action())
          return () => {}
        },
      },
      address: key.address,
      validators: () => validatorsAfter(head()),
      status: () => machine?.status(),
      send: parts.passOn,
      roundTime: setting.config.requestTimeoutSeconds * 1000,
    })
    return created
  }

  const disk: SignedRecord = {
    read: () => record,
    write(bytes) {
      record = bytes
      parts.onRecord(bytes)
    },
  }

  return {
    key,
    votes,
    name,
    crash,
    head,
    wipedAt: () => wipedAt,
    wipe() {
      wipedAt = head().header.number + 1n
      chain.length = 1
      record = undefined
    },
    isUp: () => driver !== undefined,
    round: () => machine?.status()?.round ?? -1,
    blocksFrom: (number) => chain.slice(Number(number)).flatMap(({ block }) => block ?? []),
    start() {
      if (driver) return
      world.note(() => `${name} starts at height ${head().header.number + 1n}${record ? ', with a record' : ''}`)
      driver = createSimDriver<BftTimer, OwnEffect>({
        world,
        name,
        skew: parts.skew,
        dies: parts.dies,
        crash,
        head,
        hash: law.hashOf,
        record: disk,
        wrapRecord: trade.wrapRecord,
        fails: parts.fails,
        importBlock: importOwn,
        announce: (block) => parts.announce(block, undefined),
        isCatchingUp: () => world.now() < believesUntil,
        createMachine,
        perform,
      })
      gossip = createGossip()
      driver.start()
    },
    onLink: (address) => driver?.onLink(address),
    onUnlink: (address) => driver?.onUnlink(address),
    receive: (code, data, from) => driver?.receive(code, data, from),
    receiveBlocks(blocks, from) {
      if (!driver) return
      const before = head()
      if (blocks[0] && blocks[0].header.number > before.header.number + 1n)
        return parts.onBehind(setting.keys[from]!.address)
      for (const block of blocks) {
        if (block.header.number !== head().header.number + 1n || parts.fails('import') || faultOf(block)) continue
        append(block)
        parts.announce(block, from)
      }
      if (head() !== before) driver.onHead()
    },
  }
}
