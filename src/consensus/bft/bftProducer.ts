import type { HashedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { bftSettingsAt, blockPeriodOf } from '../../forks/bftTransitions.ts'
import type { BftConfig } from '../../forks/consensusConfig.ts'
import { signWith } from '../../keys/nodeIdentity.ts'
import { type Address, equalBytes, includesBytes, never } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { type NextTurn, runInTurns, runSteps } from '../../primitives/steps.ts'
import type { Block, KnownTx } from '../../types/block.ts'
import { bftMixHash } from '../../types/header.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import type { BlockBuilder, BuildPlan, ProducerSettings } from '../producing/blockBuilder.ts'
import {
  createMachineDriver,
  type DriverParts,
  type MachineDriver,
  type MachineEffect,
} from '../producing/machineDriver.ts'
import type { Producer } from '../producing/producer.ts'
import { recoverSigner } from '../recoverSeal.ts'
import type { Votes } from '../voting/votes.ts'
import { createBftMachine } from './bftMachine.ts'
import { sealSizeOf } from './extraData.ts'
import { createProposerLog } from './logProposers.ts'
import { logUnreadable } from './logUnreadable.ts'
import type { BftBlockPlan, BftEffect, BftMachine, BftTimer, BftWork, BlockFlaw, FindForeign } from './machine.ts'
import type { BftEncoding } from './messageEncoding.ts'
import { createMessageGossip } from './messageGossip.ts'
import { createMessageOutlet } from './messageOutlet.ts'
import type { ForeignWord } from './ownWords.ts'
import { createPeerEncodings } from './peerEncodings.ts'
import { proposedExtraData } from './proposedExtraData.ts'
import type { BftProtocol } from './protocol.ts'

export interface BftProducerParts extends DriverParts {
  readonly protocol: BftProtocol
  readonly config: BftConfig
  readonly consensus: AuthorityEngine
  readonly builder: BlockBuilder
  /** Finds transactions that this node has decoded before. */
  readonly knownTx: KnownTx
  readonly votes: Votes
  readonly settings: () => ProducerSettings
  readonly findForeign: FindForeign | undefined
  readonly random: () => number
  /** Lets others run between the steps of building and checking a block; if absent, each is done at once. */
  readonly nextTurn?: NextTurn | undefined
  /** What proposals and round changes are written in; if absent, what each peer writes. */
  readonly encoding?: BftEncoding | undefined
  /** Called when this validator has entered a round after the first. */
  readonly onRoundChange: () => void
}

/** Milliseconds between two warnings of one kind. */
const warnEvery = 60_000

/** The machine in its surroundings: blocks are built and checked, messages sent, votes counted. */
class BftValidator implements Producer {
  private readonly parts: BftProducerParts
  private readonly address: Address
  private readonly wire: BftProducerParts['protocol']['wire']
  /** Validators of the height in progress, to whom messages are sent. */
  private validators: readonly Address[] = []
  /** The block that was built ahead, until the machine asks for it. */
  private built: { readonly plan: BftBlockPlan; readonly block: Block } | undefined
  private readonly encodings: ReturnType<typeof createPeerEncodings>
  private readonly outlet: ReturnType<typeof createMessageOutlet>
  private readonly gossip: ReturnType<typeof createMessageGossip>
  private readonly unreadable: ReturnType<typeof logUnreadable>
  private readonly proposerLog: ReturnType<typeof createProposerLog>
  private warnedAt = Number.NEGATIVE_INFINITY
  private machine: BftMachine | undefined
  private lastHeight = 0n
  private lastRound = 0
  private readonly driver: MachineDriver
  readonly protocols: Producer['protocols']
  readonly isRunning: Producer['isRunning']
  readonly start: Producer['start']
  readonly stop: Producer['stop']

  constructor(parts: BftProducerParts) {
    this.parts = parts
    const { address } = parts.key
    this.address = address
    const { wire } = parts.protocol
    this.wire = wire
    this.encodings = createPeerEncodings(parts.encoding, () => this.validators)
    this.outlet = createMessageOutlet({
      protocol: parts.protocol,
      sign: (what, done) => signWith(parts.key, what, done),
      encodings: this.encodings,
      validators: () => this.validators,
      send: (code, data, to) => parts.network.send(wire.name, code, data, to),
    })
    this.gossip = createMessageGossip({
      clock: parts.clock,
      address,
      validators: () => this.validators,
      status: () => this.machine?.status(),
      send: this.outlet.passOn,
      roundTime: parts.config.requestTimeoutSeconds * 1000,
    })
    this.unreadable = logUnreadable(parts.log)
    this.proposerLog = createProposerLog(parts.log, parts.clock)
    const { nextTurn } = parts
    this.driver = createMachineDriver<BftTimer, Exclude<BftEffect, MachineEffect<BftTimer>>, BftWork>({
      ...parts,
      createMachine: (restored) => {
        this.machine = createBftMachine({
          protocol: parts.protocol,
          address,
          crypto: { ...(parts.key.kind === 'local' && { sign: parts.key.sign }), recover: recoverSigner },
          knownTx: parts.knownTx,
          blocks: {
            build: this.build,
            flawOf: this.flawOf,
            hasTransactions: (parent) => parts.builder.hasTransactions(parent),
          },
          validatorsAfter: this.validatorsAfter,
          timingAt: (number) =>
            bftSettingsAt(parts.config, { number, timestamp: BigInt(Math.floor(parts.clock.now() / 1000)) }),
          requestTimeoutSeconds: parts.config.requestTimeoutSeconds,
          limits: parts.config.messageLimits,
          findForeign: parts.findForeign,
          random: parts.random,
          restored,
        })
        return this.machine
      },
      // What fails here fails again when the machine asks for it, and is reported then.
      workAhead: nextTurn && ((work, done) => void this.workAhead(work, nextTurn).then(done, done)),
      perform: this.perform,
      observe: this.observe,
    })
    this.protocols = [wire]
    this.isRunning = this.driver.isRunning
    this.start = this.driver.start
    this.stop = this.driver.stop
  }

  private warn({ header }: HashedHeader, reason: string): void {
    this.parts.log.warn(
      { number: Number(header.number), reason },
      'cannot determine validators: no block is made until they are known',
    )
  }

  /** Returns no validators if the contract call fails: no block is made until it succeeds. */
  private readonly validatorsAfter = (head: HashedHeader): readonly Address[] => {
    try {
      this.validators = this.parts.chain.read((view) => this.parts.consensus.validatorsAfter(head, view))
      if (this.validators.length === 0) this.warn(head, 'the validator contract returns an empty list')
      return this.validators
    } catch (error) {
      if (!(error instanceof BlockError)) throw error
      this.warn(head, error.message)
      return []
    }
  }

  private planOf({ parent, round, timestamp }: BftBlockPlan): BuildPlan {
    const settings = bftSettingsAt(this.parts.config, {
      number: parent.header.number + 1n,
      timestamp,
    })
    const tally = this.parts.chain.read((view) => this.parts.consensus.tallyAfter(parent, view))
    const vote = tally && this.parts.votes.choose(tally, this.address)
    const extraData = proposedExtraData(this.parts.protocol.codec, {
      minerExtraData: this.parts.settings().extraData,
      validators: this.validators,
      byContract: settings.validatorContract !== undefined,
      vote: vote && { recipient: vote.subject, add: vote.add },
      round,
    })
    return {
      parent,
      timestamp,
      beneficiary: this.address,
      extraData,
      difficulty: 1n,
      mixHash: bftMixHash,
      period: blockPeriodOf(settings) / 1000,
      allowEmpty: true,
      sealSize: sealSizeOf(this.validators.length),
    }
  }

  private readonly flawOf = (block: Block): BlockFlaw | undefined => {
    try {
      runSteps(this.parts.chain.verify(block))
      return undefined
    } catch (error) {
      if (!(error instanceof BlockError)) throw error
      const reason = error.message
      if (error.at.code !== 'TIMESTAMP_IN_FUTURE') return { reason }
      return { reason, secondsAhead: Number(error.at.have) - Math.floor(this.parts.clock.now() / 1000) }
    }
  }

  private async workAhead(work: BftWork, turn: NextTurn): Promise<void> {
    if (work.type === 'check') return runInTurns(this.parts.chain.verify(work.block), turn)
    const block = (await runInTurns(this.parts.builder.propose(this.planOf(work.plan)), turn))?.block
    this.built = block && { plan: work.plan, block }
  }

  private readonly build = (plan: BftBlockPlan): Block | undefined => {
    const ahead = this.built && isAsPlanned(this.built.plan, plan) ? this.built.block : undefined
    this.built = undefined
    return ahead ?? runSteps(this.parts.builder.propose(this.planOf(plan)))?.block
  }

  private send(code: number, data: Uint8Array, to: Address | undefined): void {
    this.outlet.own(code, data, (peer) => (to ? equalBytes(peer, to) : includesBytes(this.validators, peer)))
  }

  private warnOfForeign({ kind, height, round }: ForeignWord, from: Address | undefined): void {
    if (Math.abs(this.parts.clock.now() - this.warnedAt) < warnEvery) return
    this.warnedAt = this.parts.clock.now()
    this.parts.log.warn(
      { number: Number(height), round, message: kind, peer: from && toHex(from) },
      'another process signs with the key of this validator: stop one of the two, or the key may sign contradictions',
    )
  }

  private readonly perform = (effect: Exclude<BftEffect, MachineEffect<BftTimer>>): void => {
    switch (effect.type) {
      case 'send':
        this.send(effect.code, effect.data, effect.to)
        return
      case 'gossip':
        this.gossip(effect)
        return
      case 'peerAhead':
        this.parts.network.probe(effect.address)
        return
      case 'rubbish':
        this.unreadable(effect)
        this.parts.network.blame(effect.address)
        return
      case 'encoding':
        this.encodings.note(effect)
        return
      case 'invalid':
        this.proposerLog.invalid(effect)
        return
      case 'turn':
        this.proposerLog.turn(effect)
        return
      case 'foreign':
        this.warnOfForeign(effect.word, effect.address)
        return
      case 'closed':
        this.parts.log.warn(
          { number: Number(effect.height), signedUpTo: Number(effect.signed) },
          'this validator has signed later blocks and does not sign this one again',
        )
        return
      default:
        never(effect)
    }
  }

  private readonly observe = (): void => {
    const status = this.machine?.status()
    if (!status || (status.height === this.lastHeight && status.round === this.lastRound)) return
    this.lastHeight = status.height
    this.lastRound = status.round
    if (this.lastRound > 0) this.parts.onRoundChange()
  }

  readonly receive: NonNullable<Producer['receive']> = (name, code, data, from) => {
    if (name === this.wire.name) this.driver.receive(code, data, from)
  }

  readonly onLink: NonNullable<Producer['onLink']> = (address) => {
    this.encodings.link(address)
    this.driver.onLink(address)
  }

  readonly onUnlink: NonNullable<Producer['onUnlink']> = (address) => this.driver.onUnlink(address)

  readonly proposers: NonNullable<Producer['proposers']> = () => this.proposerLog.report()

  readonly roundStatus: NonNullable<Producer['roundStatus']> = () => {
    const status = this.driver.isRunning() ? this.machine?.status() : undefined
    return status?.isValidator ? status : undefined
  }
}

/** Takes part in an IBFT 2.0 or QBFT network: proposes, prepares and commits blocks while this node is a validator. */
export function createBftProducer(parts: BftProducerParts): Producer {
  return new BftValidator(parts)
}

/** While a block was built, a second may have begun: it does not have to be built again for that. */
function isAsPlanned(built: BftBlockPlan, wanted: BftBlockPlan): boolean {
  const late = wanted.timestamp - built.timestamp
  return (
    built.round === wanted.round && (late === 0n || late === 1n) && equalBytes(built.parent.hash, wanted.parent.hash)
  )
}
