import { equalBytes, includesBytes, never } from '../../primitives/bytes.ts'
import type { BftHeight, BftHeightParts } from './bftHeight.ts'
import type { BftRecord } from './bftRecord.ts'
import { type BftRound, createBftRound } from './bftRound.ts'
import { createHeightBlocks, type HeightBlocks } from './heightBlocks.ts'
import { createHeightEffects, type HeightEffects } from './heightEffects.ts'
import { createMessageSender, type MessageSender } from './messageSender.ts'
import type {
  BftMessage,
  CommitMessage,
  PreparedBlock,
  PrepareMessage,
  ProposalMessage,
  RoundChangeMessage,
} from './messages.ts'
import { createPacemaker as createOwnPacemaker, type Pacemaker } from './pacemaker.ts'
import type { ProposedBlock } from './proposedBlock.ts'
import { restoreRound } from './restoreRound.ts'
import { createRoundChanges, latestPrepared } from './roundChanges.ts'
import { createRoundVotes, type RoundVotes } from './roundVotes.ts'
import { createTurnWatch, type TurnWatch } from './turnWatch.ts'

/** The rounds of one height: who may propose, what is accepted, and when the next round begins. */
class HeightRounds implements BftHeight {
  private readonly parts: BftHeightParts
  private readonly blocks: HeightBlocks
  private readonly height: bigint
  private readonly effects: HeightEffects
  private readonly sender: MessageSender
  private readonly votes: RoundVotes
  private readonly pace: Pacemaker
  private readonly roundChanges: ReturnType<typeof createRoundChanges>
  private readonly turns: TurnWatch
  private current: BftRound | undefined

  constructor(parts: BftHeightParts) {
    this.parts = parts
    const { address, createPacemaker = createOwnPacemaker, requestTimeoutSeconds } = parts.parts
    const base = requestTimeoutSeconds * 1000
    this.blocks = createHeightBlocks(parts)
    this.height = parts.parent.header.number + 1n
    this.effects = createHeightEffects(this.height, parts.emit)
    const isCurrent = (round: BftRound) => round === this.current
    this.sender = createMessageSender({ ...parts.parts, ...parts, isCurrent }, this.height, parts.emit)
    this.votes = createRoundVotes(parts, this.sender)
    this.turns = createTurnWatch({ ...parts, address, height: this.height, period: this.blocks.schedule.period, base })
    this.pace = createPacemaker({ rules: parts.rules, address, base, patience: this.turns.patience })
    this.roundChanges = createRoundChanges(parts.rules)
  }

  private enterRound(number: number, now: number): BftRound {
    if (this.current && !this.current.voted && this.pace.isSilent()) this.turns.left(this.current.number)
    this.turns.enter(now)
    this.current = createBftRound(number)
    this.effects.limitRound(number, this.pace.enter(number))
    return this.current
  }

  /** Gives the round in progress the time that it has from now on. */
  private renewRound(): void {
    if (this.current) this.effects.limitRound(this.current.number, this.pace.wait())
  }

  private propose(
    current: BftRound,
    block: ProposedBlock,
    changes: readonly RoundChangeMessage[],
    from?: PreparedBlock,
  ) {
    // Also while the signature is awaited nothing else is voted for.
    current.voted = block.digest
    this.sender.propose(current, block, changes, from, (signed) => this.votes.accept(current, block, signed))
  }

  /** Proposes a block in a later round once a quorum of round changes for that round is in. */
  private proposeInLaterRound(current: BftRound, now: number): void {
    if (current.voted || !this.parts.rules.isProposer(this.parts.parts.address, current.number)) return
    const changes = this.roundChanges.quorumFor(current.number)
    if (!changes) return
    const from = latestPrepared(changes)
    const block = this.blocks.later(current.number, from, now)
    if (block) this.propose(current, block, changes, from)
  }

  private changeRound(number: number, now: number): void {
    const current = this.enterRound(number, now)
    this.sender.changeRound(current, this.votes.prepared(), (change) => {
      this.roundChanges.add(change)
      this.proposeInLaterRound(current, now)
    })
  }

  /** Whether a proposal is to be accepted if its block is valid. */
  private isWanted(message: ProposalMessage): boolean {
    const { round: number } = message.signed.payload
    if (this.current && number < this.current.number) return false
    const current = this.current?.number === number ? this.current : undefined
    if (current?.proposal || (current?.voted && !equalBytes(current.voted, message.block.digest))) return false
    return this.parts.rules.isProposal(message)
  }

  private onProposal(message: ProposalMessage, now: number, isDirect: boolean): void {
    const { signed, block } = message
    const { round: number } = signed.payload
    if (this.current && number < this.current.number && this.parts.rules.isProposer(signed.author, number))
      this.turns.late(number, now)
    if (!this.isWanted(message)) return
    const flaw = this.blocks.flawOf(block)
    if (flaw) {
      this.effects.invalid('proposal', signed.author, number, flaw)
      // What a proposer has signed in IBFT 2.0 is a digest: on its way a block may have lost what the digest does not cover.
      if ((this.parts.parts.protocol.signsBlocks || isDirect) && this.turns.disprove(number))
        this.changeRound(number + 1, now)
      return
    }
    if (number === 0) this.blocks.schedule.came(now)
    if (this.turns.made(number, now)) this.effects.turn(signed.author, true)
    this.votes.accept(this.current?.number === number ? this.current : this.enterRound(number, now), block, signed)
  }

  /** Whether a vote is of a round that has ended. */
  private isPast({ signed }: PrepareMessage | CommitMessage): boolean {
    return this.current !== undefined && signed.payload.round < this.current.number
  }

  private onRoundChange(message: RoundChangeMessage, now: number): void {
    const { round: number } = message.signed.payload
    if (this.current && number < this.current.number) {
      // Its author is behind: sending our round change again lets it catch up.
      const sent = this.current.own.get('roundChange')
      if (sent && this.roundChanges.add(message)) this.sender.resend(sent, message.signed.author)
      return
    }
    if (!this.parts.rules.isRoundChange(message)) return
    const flaw = this.parts.parts.protocol.checksPreparedBlocks && message.block && this.blocks.flawOf(message.block)
    if (flaw) this.effects.invalid('roundChange', message.signed.author, number, flaw)
    if (flaw || !this.roundChanges.add(message)) return
    if (this.current?.number !== number && this.roundChanges.quorumFor(number)) this.enterRound(number, now)
    if (this.current?.number === number) this.proposeInLaterRound(this.current, now)
  }

  private handle(message: BftMessage, now: number, isDirect: boolean): void {
    switch (message.kind) {
      case 'proposal':
        this.onProposal(message, now, isDirect)
        break
      case 'prepare':
        if (!this.isPast(message)) this.votes.onPrepare(message, this.current)
        break
      case 'commit':
        if (!this.isPast(message)) this.votes.onCommit(message, this.current)
        break
      case 'roundChange':
        this.onRoundChange(message, now)
        break
      default:
        never(message)
    }
  }

  /** Whether nothing was proposed yet. */
  private isFirstDue(): boolean {
    return !this.current || (this.current.number === 0 && !this.current.voted)
  }

  /** The block of round 0, where it is this validator's turn. Should it fail, the round begins all the same, and ends. */
  private buildFirst(now: number): ReturnType<HeightBlocks['first']> {
    try {
      return this.blocks.first(this.parts.rules.isProposer(this.parts.parts.address, 0), now)
    } catch (error) {
      if (!this.current) this.enterRound(0, now)
      throw error
    }
  }

  /** Proposes a block, or waits for that of another; while empty blocks have to wait, looks again after a block period. */
  private onBlockTimer(now: number): void {
    if (!this.isFirstDue()) return
    const block = this.buildFirst(now)
    if (block === 'later') {
      this.effects.wake(this.blocks.schedule.lookAgain(now))
      return
    }
    const current = this.current ?? this.enterRound(0, now)
    this.turns.due(now)
    if (block) this.propose(current, block, [])
    else this.awaitProposal(now)
  }

  /** Round 0 has begun, and its proposal is due. */
  private awaitProposal(now: number): void {
    const after = this.turns.patience(0)
    if (this.turns.isDisproved()) this.changeRound(1, now)
    else if (after !== undefined) this.effects.limitTurn(0, after)
  }

  /** Passes over a proposer that was given less than the round's time, and says nothing. */
  private onTurnTimer(current: BftRound, now: number): void {
    if (current.voted || this.pace.isUnderWay()) return
    this.effects.turn(this.parts.rules.proposerOf(current.number), false)
    this.turns.passOver(now)
    this.changeRound(current.number + 1, now)
  }

  /** Changes to the next round, or sends the messages of this one again while no quorum has reached it. */
  private onRoundTimer(current: BftRound, now: number): void {
    if (this.pace.expire() === 'next') {
      this.changeRound(current.number + 1, now)
      return
    }
    for (const message of current.own.values()) this.sender.resend(message)
    this.renewRound()
  }

  /** Resumes the round before a restart, and sends its messages again. */
  private resume(record: BftRecord, now: number): void {
    // A transition has given this height to others: what was prepared with the former ones is not valid, and held against whoever names it.
    const { round, prepared } = record
    if (prepared && !this.parts.rules.isPrepared(prepared.certificate)) return void this.changeRound(round + 1, now)
    const current = this.enterRound(round, now)
    this.votes.restorePrepared(prepared)
    restoreRound(current, record, {
      ...this.parts,
      resend: this.sender.resend,
      addRoundChange: this.roundChanges.add,
    })
    this.votes.advance(current)
  }

  readonly round: BftHeight['round'] = () => this.current?.number ?? -1

  readonly isHeard: BftHeight['isHeard'] = (validator) =>
    this.pace.roundOf(validator) >= Math.max(this.current?.number ?? 0, 0)

  readonly start: BftHeight['start'] = (now) => {
    if (this.parts.resumed) return this.resume(this.parts.resumed, now)
    if (this.parts.parts.protocol.startsWithHeight) this.enterRound(0, now)
    // Also those whose turn it is not: from then on the proposal is waited for.
    this.effects.wake(this.blocks.schedule.begin(now))
  }

  readonly receive: BftHeight['receive'] = (message, now, isDirect) => {
    const { author, payload } = message.signed
    if (this.pace.noteRound(author, payload.round)) this.renewRound()
    this.handle(message, now, isDirect)
    if (this.pace.isTogether()) this.turns.join(now)
    // Follows others to a later round: any message of that round shows that its author has reached it.
    const next = this.pace.roundToCatchUp()
    if (next !== undefined) this.changeRound(next, now)
  }

  readonly receiveUnreadable: BftHeight['receiveUnreadable'] = (author, round, reason, now) => {
    const number = this.current?.number ?? 0
    if (round !== number || this.current?.voted || !this.parts.rules.isProposer(author, round)) return
    this.effects.invalid('proposal', author, round, { reason })
    const mayLeave = round === 0 || this.pace.expire() === 'next'
    if (mayLeave && this.turns.disprove(round)) this.changeRound(round + 1, now)
  }

  readonly onTimer: BftHeight['onTimer'] = (timer, now) => {
    if (timer.height !== this.height) return
    if (timer.kind === 'block') return this.onBlockTimer(now)
    if (!this.current || timer.round !== this.current.number) return
    if (timer.kind === 'turn') this.onTurnTimer(this.current, now)
    else this.onRoundTimer(this.current, now)
  }

  readonly foreseeBuild: BftHeight['foreseeBuild'] = (timer, now) => {
    if (timer.height !== this.height || timer.kind !== 'block' || !this.isFirstDue()) return
    return this.parts.rules.isProposer(this.parts.parts.address, 0) ? this.blocks.foreseeFirst(now) : undefined
  }

  readonly foreseeCheck: BftHeight['foreseeCheck'] = (message) =>
    this.isWanted(message) && !this.blocks.isKnown(message.block) ? message.block.block : undefined

  readonly onLink: BftHeight['onLink'] = (to) => {
    if (!this.parts.rules.isValidator(to)) return
    if (this.pace.reconnect(to)) this.renewRound()
    for (const message of this.current?.own.values() ?? []) this.sender.resend(message, to)
    // If validators are not all connected with each other, others' round changes reach it only through this node.
    for (const change of this.roundChanges.all())
      if (!includesBytes([this.parts.parts.address, to], change.signed.author)) this.sender.passOn(change, to)
  }

  readonly takeRecord: BftHeight['takeRecord'] = () => {
    if (!this.sender.takeHasSigned() || !this.current) return undefined
    return {
      height: this.height,
      round: this.current.number,
      digest: this.current.voted,
      messages: [...this.current.own.values()],
      prepared: this.votes.prepared(),
    }
  }
}

export function createBftHeight(parts: BftHeightParts): BftHeight {
  return new HeightRounds(parts)
}
