import type { HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes, keyOf, never } from '../../primitives/bytes.ts'
import type { Block } from '../../types/block.ts'
import type { BftRecord } from './bftRecord.ts'
import { type BftRound, countCommit, countPrepare, createBftRound, preparedIn, setProposal } from './bftRound.ts'
import { createLatestByAuthor } from './latestByAuthor.ts'
import type { BftBlockPlan, BftEffect, BftMachineParts, BftTimer } from './machine.ts'
import type { MessageRules } from './messageRules.ts'
import { createMessageSender } from './messageSender.ts'
import type {
  BftMessage,
  BftReader,
  CommitMessage,
  DigestPayload,
  PreparedBlock,
  PrepareMessage,
  ProposalMessage,
  RoundChangeMessage,
  Signed,
} from './messages.ts'
import type { OwnWords } from './ownWords.ts'
import { createPacemaker as createOwnPacemaker } from './pacemaker.ts'
import { type ProposedBlock, sealBlock, toProposedBlock, withRound } from './proposedBlock.ts'
import { kindOf, readMessage } from './readMessage.ts'
import { createRoundChanges, latestPrepared } from './roundChanges.ts'

export interface BftHeightParts {
  readonly parts: BftMachineParts
  readonly reader: BftReader
  readonly parent: HashedHeader
  readonly rules: MessageRules
  readonly words: OwnWords
  /** What this validator signed at this height before a restart. */
  readonly resumed: BftRecord | undefined
  readonly emit: (effect: BftEffect) => void
}

/** Consensus on one block: rounds, until the chain has a block at this height. */
export interface BftHeight {
  /** The round in progress, −1 before the first. */
  round(): number
  /** Whether a validator is known to have reached the round in progress. */
  isHeard(validator: Address): boolean
  start(): void
  receive(message: BftMessage, now: number): void
  onTimer(timer: BftTimer, now: number): void
  /** The block that `onTimer` would build now. */
  foreseeBuild(timer: BftTimer, now: number): BftBlockPlan | undefined
  /** The block of a proposal that `receive` would have checked now. */
  foreseeCheck(message: ProposalMessage): Block | undefined
  /** Sends the messages of the round in progress to a validator that has just connected. */
  onLink(address: Address): void
  /** What has to be on disk before effects are performed; undefined when nothing was signed since the last call. */
  takeRecord(): BftRecord | undefined
}

const isEmpty = ({ block }: ProposedBlock) => block.transactions.length === 0

export function createBftHeight({ parts, reader, parent, rules, words, resumed, emit }: BftHeightParts): BftHeight {
  const { protocol, address, crypto, blocks, createPacemaker = createOwnPacemaker } = parts
  const { codec } = protocol
  const self = keyOf(address)
  const height = parent.header.number + 1n
  const { blockPeriodSeconds, emptyBlockPeriodSeconds = 0 } = parts.timingAt(height)
  const earliest = parent.header.timestamp + BigInt(blockPeriodSeconds)
  /** Time from which on a block may be empty, in milliseconds. */
  const emptyFrom = (Number(parent.header.timestamp) + emptyBlockPeriodSeconds) * 1000
  const sender = createMessageSender({ ...parts, words }, height, emit)
  const pace = createPacemaker({ rules, address, base: parts.requestTimeoutSeconds * 1000 })

  // Messages of this round and later ones, including those that arrived before their proposal.
  const prepares = createLatestByAuthor<PrepareMessage>()
  const commits = createLatestByAuthor<CommitMessage>()
  const roundChanges = createRoundChanges(rules)
  const validBlocks = new WeakSet<ProposedBlock>()
  let round: BftRound | undefined
  let prepared: PreparedBlock | undefined

  function isValid(block: ProposedBlock): boolean {
    if (validBlocks.has(block)) return true
    if (!blocks.check(block.block, parent)) return false
    validBlocks.add(block)
    return true
  }

  function planOf(number: number, seconds: number): BftBlockPlan {
    return { parent, round: number, timestamp: BigInt(seconds) < earliest ? earliest : BigInt(seconds) }
  }

  function build(plan: BftBlockPlan): ProposedBlock | undefined {
    const block = blocks.build(plan)
    return block && toProposedBlock(codec, block)
  }

  function wakeForBlock(at: number): void {
    emit({ type: 'timer', timer: { kind: 'block', height }, due: { at } })
  }

  function limitRound({ number }: BftRound, after: number): void {
    emit({ type: 'timer', timer: { kind: 'round', height, round: number }, due: { after } })
  }

  function enterRound(number: number): BftRound {
    round = createBftRound(number)
    limitRound(round, pace.enter(number))
    return round
  }

  /** Commits once enough prepares are in, and imports once enough commit seals are in. */
  function advance(current: BftRound): void {
    const { proposal } = current
    if (!proposal) return
    const { block, sealHash } = proposal
    if (!current.isPrepared && current.prepares.size >= rules.preparesNeeded) {
      current.isPrepared = true
      prepared = preparedIn(current, proposal)
      const seal = crypto.sign(sealHash)
      current.seals.set(self, seal)
      sender.commit(current, block.digest, seal)
    }
    if (!current.isCommitted && current.seals.size >= rules.quorum) {
      current.isCommitted = true
      const sealed = sealBlock(codec, block, current.number, [...current.seals.values()])
      emit({ type: 'import', block: sealed, holders: holdersOf(block, current.number) })
    }
  }

  /** Validators that have agreed to a block in a round, and so have it. */
  function holdersOf({ digest }: ProposedBlock, number: number): Address[] {
    return [...prepares.ofRound(number), ...commits.ofRound(number)]
      .filter(({ signed }) => equalBytes(signed.payload.digest, digest))
      .map(({ signed }) => signed.author)
  }

  function prepare(current: BftRound, { digest }: ProposedBlock): void {
    const sent = current.own.get('prepare')
    if (sent) sender.resend(sent)
    else current.prepares.set(self, sender.prepare(current, digest))
  }

  function accept(current: BftRound, block: ProposedBlock, signed: Signed<DigestPayload>): void {
    setProposal(current, protocol, block, signed)
    if (rules.mayPrepare(address, current.number)) prepare(current, block)
    for (const message of prepares.ofRound(current.number)) countPrepare(current, message.signed, rules)
    for (const message of commits.ofRound(current.number)) countCommit(current, message.signed, crypto)
    advance(current)
  }

  function propose(
    current: BftRound,
    block: ProposedBlock,
    changes: readonly RoundChangeMessage[],
    from: PreparedBlock | undefined,
  ): void {
    accept(current, block, sender.propose(current, block, changes, from))
  }

  /**
   * The prepared block as it is proposed again in a later round. A block that still carries an older round, as Besu 23
   * proposes it, stays as it is.
   */
  function reproposedBlock({ block, certificate }: PreparedBlock, number: number): ProposedBlock {
    return block.data.round === certificate.round ? withRound(codec, block, number) : block
  }

  /** Proposes a block in a later round once a quorum of round changes for that round is in. */
  function proposeInLaterRound(current: BftRound, now: number): void {
    if (current.voted || !rules.isProposer(address, current.number)) return
    const changes = roundChanges.quorumFor(current.number)
    if (!changes) return
    const from = latestPrepared(changes)
    if (from && !isValid(from.block)) return
    const block = from ? reproposedBlock(from, current.number) : build(planOf(current.number, Math.floor(now / 1000)))
    if (block) propose(current, block, changes, from)
  }

  function changeRound(number: number, now: number): void {
    const current = enterRound(number)
    roundChanges.add(sender.changeRound(current, prepared))
    proposeInLaterRound(current, now)
  }

  /** Whether a proposal is to be accepted if its block is valid. */
  function isWanted(message: ProposalMessage): boolean {
    const { round: number } = message.signed.payload
    if (round && number < round.number) return false
    const current = round?.number === number ? round : undefined
    if (current?.proposal || (current?.voted && !equalBytes(current.voted, message.block.digest))) return false
    return rules.isProposal(message)
  }

  function onProposal(message: ProposalMessage): void {
    const { signed, block } = message
    const { round: number } = signed.payload
    if (!isWanted(message) || !isValid(block)) return
    accept(round?.number === number ? round : enterRound(number), block, signed)
  }

  function onPrepare(message: PrepareMessage): void {
    const { round: number } = message.signed.payload
    if ((round && number < round.number) || !prepares.add(message) || round?.number !== number) return
    countPrepare(round, message.signed, rules)
    advance(round)
  }

  function onCommit(message: CommitMessage): void {
    const { round: number } = message.signed.payload
    if ((round && number < round.number) || !commits.add(message) || round?.number !== number) return
    countCommit(round, message.signed, crypto)
    advance(round)
  }

  function onRoundChange(message: RoundChangeMessage, now: number): void {
    const { round: number } = message.signed.payload
    if (round && number < round.number) {
      // Its author is behind: sending our round change again lets it catch up.
      const sent = round.own.get('roundChange')
      if (sent && roundChanges.add(message)) sender.resend(sent, message.signed.author)
      return
    }
    if (!rules.isRoundChange(message)) return
    if (protocol.checksPreparedBlocks && message.block && !isValid(message.block)) return
    if (!roundChanges.add(message)) return
    if (round?.number !== number && roundChanges.quorumFor(number)) enterRound(number)
    if (round?.number === number) proposeInLaterRound(round, now)
  }

  /** Follows others to a later round: any message of that round shows that its author has reached it. */
  function catchUp(now: number): void {
    const next = pace.roundToCatchUp()
    if (next !== undefined) changeRound(next, now)
  }

  function handle(message: BftMessage, now: number): void {
    switch (message.kind) {
      case 'proposal':
        onProposal(message)
        break
      case 'prepare':
        onPrepare(message)
        break
      case 'commit':
        onCommit(message)
        break
      case 'roundChange':
        onRoundChange(message, now)
        break
      default:
        never(message)
    }
  }

  /** Whether nothing was proposed yet. */
  function isFirstDue(): boolean {
    return !round || (round.number === 0 && !round.voted)
  }

  const planFirst = (now: number) => planOf(0, Math.round(now / 1000))

  /** Proposes a block; while empty blocks have to wait, looks again after a block period. */
  function onBlockTimer(now: number): void {
    if (!isFirstDue()) return
    const mustNotBeEmpty = now < emptyFrom
    const isIdle = mustNotBeEmpty && !blocks.hasTransactions(parent)
    const block = isIdle ? undefined : buildFirst(now)
    if (isIdle || (mustNotBeEmpty && block && isEmpty(block))) {
      wakeForBlock(Math.min(emptyFrom, now + blockPeriodSeconds * 1000))
      return
    }
    const current = round ?? enterRound(0)
    if (block) propose(current, block, [], undefined)
  }

  /** The block of round 0, where it is this validator's turn. Should it fail, the round begins all the same, and ends. */
  function buildFirst(now: number): ProposedBlock | undefined {
    if (!rules.isProposer(address, 0)) return undefined
    try {
      return build(planFirst(now))
    } catch (error) {
      if (!round) enterRound(0)
      throw error
    }
  }

  /** Changes to the next round, or sends the messages of this one again while no quorum has reached it. */
  function onRoundTimer(current: BftRound, now: number): void {
    if (pace.expire() === 'next') {
      changeRound(current.number + 1, now)
      return
    }
    for (const message of current.own.values()) sender.resend(message)
    limitRound(current, pace.wait())
  }

  function restore(current: BftRound, message: BftMessage): void {
    switch (message.kind) {
      case 'proposal':
        setProposal(current, protocol, message.block, message.signed)
        break
      case 'prepare':
        current.prepares.set(self, message.signed)
        break
      case 'commit':
        current.seals.set(self, message.signed.payload.seal)
        break
      case 'roundChange':
        roundChanges.add(message)
        break
      default:
        never(message)
    }
  }

  /** Resumes the round before a restart, and sends its messages again. */
  function resume(record: BftRecord): void {
    const current = enterRound(record.round)
    current.voted = record.digest
    prepared = record.prepared
    if (prepared?.certificate.round === current.number) {
      setProposal(current, protocol, prepared.block, prepared.certificate.proposal)
      current.isPrepared = true
    }
    for (const message of record.messages) {
      const kind = kindOf(protocol, message.code)
      if (!kind) continue
      current.own.set(kind, message)
      restore(current, readMessage(protocol, kind, message.data, reader))
      sender.resend(message)
    }
    advance(current)
  }

  return {
    round: () => round?.number ?? -1,
    isHeard: (validator) => pace.roundOf(validator) >= Math.max(round?.number ?? 0, 0),
    start() {
      if (resumed) return resume(resumed)
      if (protocol.startsWithHeight) enterRound(0)
      // In QBFT everyone waits for the block period, as the round's timer starts with its end.
      if (!protocol.startsWithHeight || rules.isProposer(address, 0)) wakeForBlock(Number(earliest) * 1000)
    },
    receive(message, now) {
      const { author, payload } = message.signed
      if (pace.hear(author, payload.round) && round) limitRound(round, pace.wait())
      handle(message, now)
      catchUp(now)
    },
    onTimer(timer, now) {
      if (timer.height !== height) return
      if (timer.kind === 'block') onBlockTimer(now)
      else if (round && timer.round === round.number) onRoundTimer(round, now)
    },
    foreseeBuild(timer, now) {
      if (timer.height !== height || timer.kind !== 'block' || !isFirstDue() || !rules.isProposer(address, 0)) return
      if (now < emptyFrom && !blocks.hasTransactions(parent)) return
      return planFirst(now)
    },
    foreseeCheck: (message) => (isWanted(message) && !validBlocks.has(message.block) ? message.block.block : undefined),
    onLink(to) {
      if (!rules.isValidator(to)) return
      if (pace.reconnect(to) && round) limitRound(round, pace.wait())
      for (const message of round?.own.values() ?? []) sender.resend(message, to)
      // If validators are not all connected with each other, others' round changes reach it only through this node.
      for (const { signed, block, certificate } of roundChanges.all()) {
        if (equalBytes(signed.author, address) || equalBytes(signed.author, to)) continue
        const prepared = block && certificate && { block, certificate }
        const data = protocol.encodeRoundChange(signed.bytes, prepared)
        sender.resend({ code: protocol.codes.roundChange, data }, to)
      }
    },
    takeRecord() {
      if (!sender.takeHasSigned() || !round) return undefined
      return { height, round: round.number, digest: round.voted, messages: [...round.own.values()], prepared }
    },
  }
}
