import { createBftMachine } from '../../src/consensus/bft/bftMachine.ts'
import type { BftCrypto, BftEffect, BftTimer } from '../../src/consensus/bft/machine.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import type { MessageReading } from '../../src/consensus/bft/readMessage.ts'
import { type CliqueTimer, createCliqueMachine } from '../../src/consensus/clique/cliqueMachine.ts'
import { findRecentBlock } from '../../src/consensus/clique/turns.ts'
import { ibft2Protocol } from '../../src/consensus/ibft2/ibft2Protocol.ts'
import { combineProducers } from '../../src/consensus/producing/combineProducers.ts'
import type { Heights, MachineEffect } from '../../src/consensus/producing/machineDriver.ts'
import type { Producer } from '../../src/consensus/producing/producer.ts'
import type { SignedRecord } from '../../src/consensus/producing/signedRecord.ts'
import { qbftProtocol } from '../../src/consensus/qbft/qbftProtocol.ts'
import { indexOfValidator } from '../../src/consensus/voting/tally.ts'
import { BlockError } from '../../src/execution/fault.ts'
import { bftSettingsAt } from '../../src/forks/bftTransitions.ts'
import type { BftConfig } from '../../src/forks/consensusConfig.ts'
import { type Address, keyOf, never } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Block } from '../../src/types/block.ts'
import { type Authority, bftBlock, cliqueBlock } from '../support/authorityChain.ts'
import type { Entry, MigrationLaw, MigrationSetting } from './migrationLaw.ts'
import { createSimDriver, type FailingPart, Injected, type SimDriver, type SimDriverParts } from './simDriver.ts'
import { Violation, type World } from './world.ts'

/** What an honest node may do otherwise than it should around the change; so that the simulator shows that it can see. */
export interface MigrationTrade {
  /** Blocks for which the old engine goes on to work past its end. */
  readonly oldGoesOn?: number
  /** Blocks for which the old engine's blocks are valid past its end. */
  readonly oldIsValid?: number
  /** Blocks by which the new engine begins to work too late. */
  readonly startsLate?: number
  /** Whether messages do not reach the drivers. */
  readonly isDeaf?: boolean
}

export interface MigrationNodeParts {
  readonly world: World
  readonly setting: MigrationSetting
  readonly law: MigrationLaw
  readonly key: Authority
  readonly name: string
  readonly crypto: BftCrypto
  readonly readingOf: (protocol: BftProtocol) => MessageReading
  readonly trade: MigrationTrade
  readonly skew: () => number
  readonly dies: () => boolean
  /** Asked in a crash: whether the last block is lost, too. */
  readonly forgets: () => boolean
  readonly fails: (part: FailingPart) => boolean
  readonly say: (protocol: BftProtocol, code: number, data: Uint8Array, to: Address | undefined) => void
  readonly announce: (block: Block) => void
  /** An own Clique block is about to be shown to others. */
  readonly onSeal: (block: Block) => void
  readonly onImport: (entry: Entry) => void
  readonly onBehind: (from: Address) => void
  readonly isOver: () => boolean
}

/** A node of a network that changes its engine: both drivers, and a tree of blocks. Records and blocks outlive a crash. */
export interface MigrationNode {
  readonly key: Authority
  start(): void
  crash(): void
  isUp(): boolean
  head(): Entry
  knows(block: Block): boolean
  /** The branch of the head as far as another does not know it, oldest first. */
  blocksFor(other: MigrationNode): readonly Block[]
  receive(protocol: BftProtocol, code: number, data: Uint8Array, from: Address): void
  onLink(address: Address): void
  receiveBlocks(blocks: readonly Block[], from: Address): void
}

type OwnEffect = Exclude<BftEffect, MachineEffect<BftTimer>>
/** A driver as the node's producers are made of it. */
interface Stage {
  readonly driver: SimDriver
  readonly producer: Producer
}

export function createMigrationNode(parts: MigrationNodeParts): MigrationNode {
  const { world, setting, law, key, name, trade } = parts
  const { engine, view, config } = law
  const startBlock = BigInt(setting.startBlock)
  const known = new Set([keyOf(law.genesis.hash)])
  const records = new Map<string, Uint8Array>()
  let head = law.genesis
  let stages: readonly Stage[] = []
  let producer: Producer | undefined

  const localNow = () => world.now() + parts.skew()
  const knows = ({ header }: Block) => known.has(keyOf(engine.hash(header)))
  const parentOf = ({ header }: Entry) => law.entryOf(header.parentHash)
  const among = (list: readonly Address[]) => setting.keys.filter(({ address }) => indexOfValidator(list, address) >= 0)

  function tellHead(before: Entry): void {
    if (head !== before) for (const { driver } of stages) driver.onHead()
  }

  function crash(): void {
    const parent = parentOf(head)
    const hasForgotten = parent !== undefined && parts.forgets()
    world.note(() => `${name} crashes${hasForgotten ? ' and forgets its last block' : ''}`)
    if (hasForgotten) {
      head = parent
      known.clear()
      for (let at: Entry | undefined = parent; at; at = parentOf(at)) known.add(keyOf(at.hash))
    }
    producer?.stop()
    producer = undefined
    stages = []
  }

  /** The fault for which a block is refused; it joins the tree otherwise. */
  function add(block: Block): string | undefined {
    if (!known.has(keyOf(block.header.parentHash))) return 'no parent'
    const entry = law.judge(block, localNow())
    if (typeof entry === 'string') return entry
    known.add(keyOf(entry.hash))
    parts.onImport(entry)
    if (engine.isBetter(entry, head, view)) {
      head = entry
      world.note(() => `${name} goes to block ${entry.header.number} ${toHex(entry.hash).slice(2, 10)}`)
    }
    return undefined
  }

  function importOwn(block: Block): void {
    if (knows(block)) return
    const before = head
    const fault = add(block)
    // A clock that was set back makes even a valid block wait; a parent may be forgotten.
    if (fault === 'TIMESTAMP_IN_FUTURE' || fault === 'no parent') throw new BlockError({ code: 'SEAL_INVALID' })
    if (fault !== undefined) throw new Violation(`${name} made a block that is not valid: ${fault}`)
    tellHead(before)
  }

  const recordOf = (kind: string): SignedRecord => ({
    read: () => records.get(kind),
    write: (bytes) => void records.set(kind, bytes),
  })

  function partsFor(heights: Heights, record: SignedRecord) {
    return {
      world,
      name,
      heights,
      record,
      skew: parts.skew,
      dies: parts.dies,
      crash,
      head: () => head,
      hash: engine.hash,
      fails: parts.fails,
      announce: parts.announce,
      isCatchingUp: parts.isOver,
    } satisfies Partial<SimDriverParts<BftTimer, OwnEffect>>
  }

  function failIfBroken(): void {
    if (parts.fails('build')) throw new Injected('build fails')
  }

  function createCliqueStage(heights: Heights): Stage {
    const driver = createSimDriver<CliqueTimer, never>({
      ...partsFor(heights, recordOf('clique')),
      importBlock(block) {
        parts.onSeal(block)
        importOwn(block)
      },
      createMachine: (restored) =>
        createCliqueMachine({
          address: key.address,
          periodAfter: () => setting.period,
          build({ parent, timestamp, difficulty, signers }) {
            failIfBroken()
            const vanity = new Uint8Array(32)
            vanity.set(world.random.bytes(4))
            return cliqueBlock(parent, {
              signer: key,
              among: among(signers),
              header: { timestamp, difficulty },
              extraData: { vanity },
            })
          },
          signersAfter: (at) => engine.validatorsAfter(at, view),
          mustWait: (at, signers) =>
            findRecentBlock(at, key.address, signers, view, ({ header }) => engine.signerOf(header)) !== undefined,
          random: () => world.random.below(1000) / 1000,
          restored,
        }),
      perform: never,
    })
    const { isRunning, start, stop } = driver
    return { driver, producer: { protocols: [], isRunning, start, stop } }
  }

  function createBftStage(protocol: BftProtocol, terms: BftConfig, heights: Heights): Stage {
    const { wire } = protocol

    function perform(effect: OwnEffect): void {
      if (effect.type === 'send') parts.say(protocol, effect.code, effect.data, effect.to)
      else if (effect.type === 'peerAhead') parts.onBehind(effect.address)
    }

    const driver = createSimDriver<BftTimer, OwnEffect>({
      ...partsFor(heights, recordOf('bft')),
      importBlock: importOwn,
      createMachine: (restored) =>
        createBftMachine({
          protocol,
          address: key.address,
          crypto: parts.crypto,
          reading: parts.readingOf(protocol),
          blocks: {
            build({ parent, round, timestamp }) {
              failIfBroken()
              const vanity = new Uint8Array(32)
              vanity.set(world.random.bytes(4))
              const validators = among(engine.validatorsAfter(parent, view))
              const extraData = { round, vanity }
              const header = { timestamp }
              return bftBlock(parent, {
                codec: protocol.codec,
                proposer: key,
                validators,
                committers: [],
                header,
                extraData,
              })
            },
            // As the chain does: on the block's own parent, whatever the head is.
            flawOf(block) {
              const reason = known.has(keyOf(block.header.parentHash))
                ? law.faultOfProposal(block, localNow())
                : 'no parent'
              return reason === undefined ? undefined : { reason }
            },
            hasTransactions: () => world.random.percent(50),
          },
          validatorsAfter: (at) => engine.validatorsAfter(at, view),
          timingAt: (number) => bftSettingsAt(terms, { number, timestamp: 0n }),
          requestTimeoutSeconds: terms.requestTimeoutSeconds,
          limits: terms.messageLimits,
          restored,
        }),
      perform,
    })
    const { isRunning, start, stop, onLink, onUnlink } = driver
    return {
      driver,
      producer: {
        protocols: [wire],
        isRunning,
        start,
        stop,
        onLink,
        onUnlink,
        receive(wireName, code, data, from) {
          if (wireName === wire.name) driver.receive(code, data, from)
        },
      },
    }
  }

  function createStages(): readonly [Stage, Stage] {
    const before = { from: 1n, to: startBlock + BigInt(trade.oldGoesOn ?? 0) }
    const after = { from: startBlock + BigInt(trade.startsLate ?? 0), to: undefined }
    const old = config.kind === 'clique' ? createCliqueStage(before) : createBftStage(ibft2Protocol, config, before)
    return [old, createBftStage(qbftProtocol, config.successor!.config, after)]
  }

  return {
    key,
    crash,
    knows,
    isUp: () => producer !== undefined,
    head: () => head,
    blocksFor(other) {
      const blocks: Block[] = []
      for (let at = head; at.block && !other.knows(at.block); at = parentOf(at)!) blocks.unshift(at.block)
      return blocks
    },
    start() {
      if (producer) return
      world.note(() => `${name} starts at height ${head.header.number + 1n}`)
      const both = createStages()
      stages = both
      producer = combineProducers(both[0].producer, both[1].producer)
      producer.start()
    },
    receive(protocol, code, data, from) {
      if (!trade.isDeaf) producer?.receive?.(protocol.wire.name, code, data, from)
    },
    onLink(address) {
      producer?.onLink?.(address)
    },
    receiveBlocks(blocks, from) {
      if (!producer) return
      const before = head
      for (const block of blocks) {
        if (knows(block)) continue
        if (parts.fails('import')) break
        const fault = add(block)
        if (fault === 'no parent') parts.onBehind(from)
        if (fault !== undefined) break
      }
      tellHead(before)
    },
  }
}
