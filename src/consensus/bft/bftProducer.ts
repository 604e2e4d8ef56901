import type { HashedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { bftSettingsAt } from '../../forks/bftTransitions.ts'
import type { BftConfig } from '../../forks/consensusConfig.ts'
import { type Address, equalBytes, includesBytes, never } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { type NextTurn, runInTurns, runSteps } from '../../primitives/steps.ts'
import type { Block, KnownTx } from '../../types/block.ts'
import { bftMixHash } from '../../types/header.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import type { BlockBuilder, BuildPlan, ProducerSettings } from '../producing/blockBuilder.ts'
import { createMachineDriver, type DriverParts, type MachineEffect } from '../producing/machineDriver.ts'
import type { Producer } from '../producing/producer.ts'
import { recoverSigner } from '../recoverSeal.ts'
import type { ValidatorKey } from '../validatorKey.ts'
import type { Votes } from '../voting/votes.ts'
import { createBftMachine } from './bftMachine.ts'
import { sealSizeOf } from './extraData.ts'
import { logUnreadable } from './logUnreadable.ts'
import type { BftBlockPlan, BftEffect, BftMachine, BftTimer, BftWork } from './machine.ts'
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
  readonly key: ValidatorKey
  readonly votes: Votes
  readonly settings: () => ProducerSettings
  /** Lets others run between the steps of building and checking a block; if absent, each is done at once. */
  readonly nextTurn?: NextTurn | undefined
  /** What proposals and round changes are written in; if absent, what each peer writes. */
  readonly encoding?: BftEncoding | undefined
  /** Called when this validator has entered a round after the first. */
  readonly onRoundChange: () => void
}

/** Milliseconds between two warnings of one kind. */
const warnEvery = 60_000

/** Takes part in an IBFT 2.0 or QBFT network: proposes, prepares and commits blocks while this node is a validator. */
export function createBftProducer(parts: BftProducerParts): Producer {
  const { protocol, config, consensus, builder, key, votes, settings, chain, knownTx, network, log, clock, nextTurn } =
    parts
  const { address } = key
  const { wire } = protocol

  /** Validators of the height in progress, to whom messages are sent. */
  let validators: readonly Address[] = []

  function warn({ header }: HashedHeader, reason: string): void {
    log.warn(
      { number: Number(header.number), reason },
      'cannot determine validators: no block is made until they are known',
    )
  }

  /** Returns no validators if the contract call fails: no block is made until it succeeds. */
  function validatorsAfter(head: HashedHeader): readonly Address[] {
    try {
      validators = chain.read((view) => consensus.validatorsAfter(head, view))
      if (validators.length === 0) warn(head, 'the validator contract returns an empty list')
      return validators
    } catch (error) {
      if (!(error instanceof BlockError)) throw error
      warn(head, error.message)
      return []
    }
  }

  function planOf({ parent, round, timestamp }: BftBlockPlan): BuildPlan {
    const { blockPeriodSeconds, validatorContract } = bftSettingsAt(config, {
      number: parent.header.number + 1n,
      timestamp,
    })
    const tally = chain.read((view) => consensus.tallyAfter(parent, view))
    const vote = tally && votes.choose(tally, address)
    const extraData = proposedExtraData(protocol.codec, {
      minerExtraData: settings().extraData,
      validators,
      byContract: validatorContract !== undefined,
      vote: vote && { recipient: vote.subject, add: vote.add },
      round,
    })
    return {
      parent,
      timestamp,
      beneficiary: address,
      extraData,
      difficulty: 1n,
      mixHash: bftMixHash,
      period: blockPeriodSeconds,
      allowEmpty: true,
      sealSize: sealSizeOf(validators.length),
    }
  }

  function check(block: Block): boolean {
    try {
      runSteps(chain.verify(block))
      return true
    } catch (error) {
      if (!(error instanceof BlockError)) throw error
      log.warn({ number: Number(block.header.number), reason: error.message }, 'invalid proposal')
      return false
    }
  }

  /** The block that was built ahead, until the machine asks for it. */
  let built: { readonly plan: BftBlockPlan; readonly block: Block } | undefined

  async function workAhead(work: BftWork, turn: NextTurn): Promise<void> {
    if (work.type === 'check') return runInTurns(chain.verify(work.block), turn)
    const block = (await runInTurns(builder.propose(planOf(work.plan)), turn))?.block
    built = block && { plan: work.plan, block }
  }

  function build(plan: BftBlockPlan): Block | undefined {
    const ahead = built && isSamePlan(built.plan, plan) ? built.block : undefined
    built = undefined
    return ahead ?? runSteps(builder.propose(planOf(plan)))?.block
  }

  const encodings = createPeerEncodings(parts.encoding, () => validators)
  const outlet = createMessageOutlet({
    protocol,
    sign: key.sign,
    encodings,
    validators: () => validators,
    send: (code, data, to) => network.send(wire.name, code, data, to),
  })

  function send(code: number, data: Uint8Array, to: Address | undefined): void {
    outlet.own(code, data, (peer) => (to ? equalBytes(peer, to) : includesBytes(validators, peer)))
  }

  const gossip = createMessageGossip({
    clock,
    address,
    validators: () => validators,
    status: () => machine?.status(),
    send: outlet.passOn,
    roundTime: config.requestTimeoutSeconds * 1000,
  })

  const unreadable = logUnreadable(log)
  let warnedAt = Number.NEGATIVE_INFINITY

  function warnOfForeign({ kind, height, round }: ForeignWord, from: Address | undefined): void {
    if (Math.abs(clock.now() - warnedAt) < warnEvery) return
    warnedAt = clock.now()
    log.warn(
      { number: Number(height), round, message: kind, peer: from && toHex(from) },
      'another process signs with the key of this validator: stop one of the two, or the key may sign contradictions',
    )
  }

  function perform(effect: Exclude<BftEffect, MachineEffect<BftTimer>>): void {
    switch (effect.type) {
      case 'send':
        send(effect.code, effect.data, effect.to)
        return
      case 'gossip':
        gossip(effect)
        return
      case 'peerAhead':
        network.probe(effect.address)
        return
      case 'rubbish':
        unreadable(effect)
        network.blame(effect.address)
        return
      case 'encoding':
        encodings.hear(effect)
        return
      case 'foreign':
        warnOfForeign(effect.word, effect.address)
        return
      case 'closed':
        log.warn(
          { number: Number(effect.height), signedUpTo: Number(effect.signed) },
          'this validator has signed later blocks and does not sign this one again',
        )
        return
      default:
        never(effect)
    }
  }

  let machine: BftMachine | undefined
  let lastHeight = 0n
  let lastRound = 0

  function observe(): void {
    const status = machine?.status()
    if (!status || (status.height === lastHeight && status.round === lastRound)) return
    lastHeight = status.height
    lastRound = status.round
    if (lastRound > 0) parts.onRoundChange()
  }

  const driver = createMachineDriver<BftTimer, Exclude<BftEffect, MachineEffect<BftTimer>>, BftWork>({
    ...parts,
    createMachine(restored) {
      machine = createBftMachine({
        protocol,
        address,
        crypto: { sign: key.sign, recover: recoverSigner },
        knownTx,
        blocks: {
          build,
          check,
          hasTransactions: (parent) => builder.hasTransactions(parent),
        },
        validatorsAfter,
        timingAt: (number) => bftSettingsAt(config, { number, timestamp: BigInt(Math.floor(clock.now() / 1000)) }),
        requestTimeoutSeconds: config.requestTimeoutSeconds,
        limits: config.messageLimits,
        restored,
      })
      return machine
    },
    // What fails here fails again when the machine asks for it, and is reported then.
    workAhead: nextTurn && ((work, done) => void workAhead(work, nextTurn).then(done, done)),
    perform,
    observe,
  })

  return {
    protocols: [wire],
    isRunning: driver.isRunning,
    start: driver.start,
    stop: driver.stop,
    receive(name, code, data, from) {
      if (name === wire.name) driver.receive(code, data, from)
    },
    onLink(address) {
      encodings.link(address)
      driver.onLink(address)
    },
    roundStatus() {
      const status = driver.isRunning() ? machine?.status() : undefined
      return status?.isValidator ? status : undefined
    },
  }
}

function isSamePlan(a: BftBlockPlan, b: BftBlockPlan): boolean {
  return a.round === b.round && a.timestamp === b.timestamp && equalBytes(a.parent.hash, b.parent.hash)
}
