import { type Address, equalBytes, never } from '../../primitives/bytes.ts'
import type { BftHeight, BftHeightParts } from './bftHeight.ts'
import type { BftRecord } from './bftRecord.ts'
import { type BftRound, createBftRound } from './bftRound.ts'
import { type BlockSchedule, createBlockSchedule } from './blockSchedule.ts'
import type { BftBlockPlan, BftMachineParts } from './machine.ts'
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
import { type ProposedBlock, toProposedBlock, withRound } from './proposedBlock.ts'
import { restoreRound } from './restoreRound.ts'
import { createRoundChanges, latestPrepared } from './roundChanges.ts'
import { createRoundVotes, type RoundVotes } from './roundVotes.ts'

const isEmpty = ({ block }: ProposedBlock) => block.transactions.length === 0

/** The rounds of one height: who may propose, what is accepted, and when the next round begins. */
class HeightRounds implements BftHeight {
  private readonly parts: BftHeightParts
  private readonly protocol: BftMachineParts['protocol']
  private readonly address: Address
  private readonly blocks: BftMachineParts['blocks']
  private readonly height: bigint
  private readonly schedule: BlockSchedule
  private readonly sender: MessageSender
  private readonly votes: RoundVotes
  private readonly pace: Pacemaker
  private readonly roundChanges: ReturnType<typeof createRoundChanges>
  private readonly validBlocks = new WeakSet<ProposedBlock>()
  private current: BftRound | undefined

  constructor(parts: BftHeightParts) {
    this.parts = parts
    const { protocol, address, blocks, createPacemaker = createOwnPacemaker } = parts.parts
    this.protocol = protocol
    this.address = address
    this.blocks = blocks
    this.height = parts.parent.header.number + 1n
    this.schedule = createBlockSchedule(parts.parent, parts.parts.timingAt(this.height))
    this.sender = createMessageSender({ ...parts.parts, words: parts.words }, this.height, parts.emit)
    this.votes = createRoundVotes(parts, this.sender)
    this.pace = createPacemaker({ rules: parts.rules, address, base: parts.parts.requestTimeoutSeconds * 1000 })
    this.roundChanges = createRoundChanges(parts.rules)
  }

  private isValid(block: ProposedBlock): boolean {
    if (this.validBlocks.has(block)) return true
    if (!this.blocks.check(block.block, this.parts.parent)) return false
    this.validBlocks.add(block)
    return true
  }

  private build(plan: BftBlockPlan): ProposedBlock | undefined {
    const block = this.blocks.build(plan)
    return block && toProposedBlock(this.protocol.codec, block)
  }

  private wakeForBlock(at: number): void {
    this.parts.emit({ type: 'timer', timer: { kind: 'block', height: this.height }, due: { at } })
  }

  private limitRound({ number }: BftRound, after: number): void {
    this.parts.emit({ type: 'timer', timer: { kind: 'round', height: this.height, round: number }, due: { after } })
  }

  private enterRound(number: number): BftRound {
    this.current = createBftRound(number)
    this.limitRound(this.current, this.pace.enter(number))
    return this.current
  }

  private propose(
    current: BftRound,
    block: ProposedBlock,
    changes: readonly RoundChangeMessage[],
    from: PreparedBlock | undefined,
  ): void {
    this.votes.accept(current, block, this.sender.propose(current, block, changes, from))
  }

  /**
   * The prepared block as it is proposed again in a later round. A block that still carries an older round, as Besu 23
   * proposes it, stays as it is.
   */
  private reproposedBlock({ block, certificate }: PreparedBlock, number: number): ProposedBlock {
    return block.data.round === certificate.round ? withRound(this.protocol.codec, block, number) : block
  }

  /** Proposes a block in a later round once a quorum of round changes for that round is in. */
  private proposeInLaterRound(current: BftRound, now: number): void {
    if (current.voted || !this.parts.rules.isProposer(this.address, current.number)) return
    const changes = this.roundChanges.quorumFor(current.number)
    if (!changes) return
    const from = latestPrepared(changes)
    if (from && !this.isValid(from.block)) return
    const block = from
      ? this.reproposedBlock(from, current.number)
      : this.build(this.schedule.planLater(current.number, now))
    if (block) this.propose(current, block, changes, from)
  }

  private changeRound(number: number, now: number): void {
    const current = this.enterRound(number)
    this.roundChanges.add(this.sender.changeRound(current, this.votes.prepared()))
    this.proposeInLaterRound(current, now)
  }

  /** Whether a proposal is to be accepted if its block is valid. */
  private isWanted(message: ProposalMessage): boolean {
    const { round: number } = message.signed.payload
    if (this.current && number < this.current.number) return false
    const current = this.current?.number === number ? this.current : undefined
    if (current?.proposal || (current?.voted && !equalBytes(current.voted, message.block.digest))) return false
    return this.parts.rules.isProposal(message)
  }

  private onProposal(message: ProposalMessage): void {
    const { signed, block } = message
    const { round: number } = signed.payload
    if (!this.isWanted(message) || !this.isValid(block)) return
    this.votes.accept(this.current?.number === number ? this.current : this.enterRound(number), block, signed)
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
    if (this.protocol.checksPreparedBlocks && message.block && !this.isValid(message.block)) return
    if (!this.roundChanges.add(message)) return
    if (this.current?.number !== number && this.roundChanges.quorumFor(number)) this.enterRound(number)
    if (this.current?.number === number) this.proposeInLaterRound(this.current, now)
  }

  /** Follows others to a later round: any message of that round shows that its author has reached it. */
  private catchUp(now: number): void {
    const next = this.pace.roundToCatchUp()
    if (next !== undefined) this.changeRound(next, now)
  }

  private handle(message: BftMessage, now: number): void {
    switch (message.kind) {
      case 'proposal':
        this.onProposal(message)
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

  /** Proposes a block; while empty blocks have to wait, looks again after a block period. */
  private onBlockTimer(now: number): void {
    if (!this.isFirstDue()) return
    const mustNotBeEmpty = this.schedule.mustNotBeEmpty(now)
    const isIdle = mustNotBeEmpty && !this.blocks.hasTransactions(this.parts.parent)
    const block = isIdle ? undefined : this.buildFirst(now)
    if (isIdle || (mustNotBeEmpty && block && isEmpty(block))) {
      this.wakeForBlock(this.schedule.lookAgainAt(now))
      return
    }
    const current = this.current ?? this.enterRound(0)
    if (block) this.propose(current, block, [], undefined)
  }

  /** The block of round 0, where it is this validator's turn. Should it fail, the round begins all the same, and ends. */
  private buildFirst(now: number): ProposedBlock | undefined {
    if (!this.parts.rules.isProposer(this.address, 0)) return undefined
    try {
      return this.build(this.schedule.planFirst(now))
    } catch (error) {
      if (!this.current) this.enterRound(0)
      throw error
    }
  }

  /** Changes to the next round, or sends the messages of this one again while no quorum has reached it. */
  private onRoundTimer(current: BftRound, now: number): void {
    if (this.pace.expire() === 'next') {
      this.changeRound(current.number + 1, now)
      return
    }
    for (const message of current.own.values()) this.sender.resend(message)
    this.limitRound(current, this.pace.wait())
  }

  /** Resumes the round before a restart, and sends its messages again. */
  private resume(record: BftRecord): void {
    const current = this.enterRound(record.round)
    this.votes.restorePrepared(record.prepared)
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

  readonly start: BftHeight['start'] = () => {
    if (this.parts.resumed) return this.resume(this.parts.resumed)
    if (this.protocol.startsWithHeight) this.enterRound(0)
    // In QBFT everyone waits for the block period, as the round's timer starts with its end.
    if (!this.protocol.startsWithHeight || this.parts.rules.isProposer(this.address, 0))
      this.wakeForBlock(this.schedule.dueAt)
  }

  readonly receive: BftHeight['receive'] = (message, now) => {
    const { author, payload } = message.signed
    if (this.pace.noteRound(author, payload.round) && this.current) this.limitRound(this.current, this.pace.wait())
    this.handle(message, now)
    this.catchUp(now)
  }

  readonly onTimer: BftHeight['onTimer'] = (timer, now) => {
    if (timer.height !== this.height) return
    if (timer.kind === 'block') this.onBlockTimer(now)
    else if (this.current && timer.round === this.current.number) this.onRoundTimer(this.current, now)
  }

  readonly foreseeBuild: BftHeight['foreseeBuild'] = (timer, now) => {
    if (
      timer.height !== this.height ||
      timer.kind !== 'block' ||
      !this.isFirstDue() ||
      !this.parts.rules.isProposer(this.address, 0)
    )
      return
    if (this.schedule.mustNotBeEmpty(now) && !this.blocks.hasTransactions(this.parts.parent)) return
    return this.schedule.planFirst(now)
  }

  readonly foreseeCheck: BftHeight['foreseeCheck'] = (message) =>
    this.isWanted(message) && !this.validBlocks.has(message.block) ? message.block.block : undefined

  readonly onLink: BftHeight['onLink'] = (to) => {
    if (!this.parts.rules.isValidator(to)) return
    if (this.pace.reconnect(to) && this.current) this.limitRound(this.current, this.pace.wait())
    for (const message of this.current?.own.values() ?? []) this.sender.resend(message, to)
    // If validators are not all connected with each other, others' round changes reach it only through this node.
    for (const { signed, block, certificate } of this.roundChanges.all()) {
      if (equalBytes(signed.author, this.address) || equalBytes(signed.author, to)) continue
      const prepared = block && certificate && { block, certificate }
      const data = this.protocol.encodeRoundChange(signed.bytes, prepared)
      this.sender.resend({ code: this.protocol.codes.roundChange, data }, to)
    }
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
