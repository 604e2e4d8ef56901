import { type Address, equalBytes, keyOf, never } from '../../primitives/bytes.ts'
import type { BftHeight, BftHeightParts } from './bftHeight.ts'
import type { BftRecord } from './bftRecord.ts'
import { type BftRound, countCommit, countPrepare, createBftRound, preparedIn, setProposal } from './bftRound.ts'
import { createLatestByAuthor } from './latestByAuthor.ts'
import type { BftBlockPlan, BftMachineParts } from './machine.ts'
import { createMessageSender } from './messageSender.ts'
import type {
  BftMessage,
  CommitMessage,
  DigestPayload,
  PreparedBlock,
  PrepareMessage,
  ProposalMessage,
  RoundChangeMessage,
  Signed,
} from './messages.ts'
import { createPacemaker as createOwnPacemaker, type Pacemaker } from './pacemaker.ts'
import { type ProposedBlock, sealBlock, toProposedBlock, withRound } from './proposedBlock.ts'
import { kindOf, readMessage } from './readMessage.ts'
import { createRoundChanges, latestPrepared } from './roundChanges.ts'

const isEmpty = ({ block }: ProposedBlock) => block.transactions.length === 0

/** The rounds of one height: what has been proposed, who has prepared and committed, and who wants the next round. */
class HeightRounds implements BftHeight {
  private readonly parts: BftHeightParts
  private readonly protocol: BftMachineParts['protocol']
  private readonly address: Address
  private readonly crypto: BftMachineParts['crypto']
  private readonly blocks: BftMachineParts['blocks']
  private readonly codec: BftMachineParts['protocol']['codec']
  private readonly self: string
  private readonly height: bigint
  private readonly blockPeriodSeconds: number
  private readonly earliest: bigint
  /** Time from which on a block may be empty, in milliseconds. */
  private readonly emptyFrom: number
  private readonly sender: ReturnType<typeof createMessageSender>
  private readonly pace: Pacemaker
  // Messages of this round and later ones, including those that arrived before their proposal.
  private readonly prepares = createLatestByAuthor<PrepareMessage>()
  private readonly commits = createLatestByAuthor<CommitMessage>()
  private readonly roundChanges: ReturnType<typeof createRoundChanges>
  private readonly validBlocks = new WeakSet<ProposedBlock>()
  private current: BftRound | undefined
  private prepared: PreparedBlock | undefined

  constructor(parts: BftHeightParts) {
    this.parts = parts
    const { protocol, address, crypto, blocks, createPacemaker = createOwnPacemaker } = parts.parts
    this.protocol = protocol
    this.address = address
    this.crypto = crypto
    this.blocks = blocks
    const { codec } = protocol
    this.codec = codec
    this.self = keyOf(address)
    this.height = parts.parent.header.number + 1n
    const { blockPeriodSeconds, emptyBlockPeriodSeconds = 0 } = parts.parts.timingAt(this.height)
    this.blockPeriodSeconds = blockPeriodSeconds
    this.earliest = parts.parent.header.timestamp + BigInt(blockPeriodSeconds)
    this.emptyFrom = (Number(parts.parent.header.timestamp) + emptyBlockPeriodSeconds) * 1000
    this.sender = createMessageSender({ ...parts.parts, words: parts.words }, this.height, parts.emit)
    this.pace = createPacemaker({ rules: parts.rules, address, base: parts.parts.requestTimeoutSeconds * 1000 })
    this.roundChanges = createRoundChanges(parts.rules)
  }

  private isValid(block: ProposedBlock): boolean {
    if (this.validBlocks.has(block)) return true
    if (!this.blocks.check(block.block, this.parts.parent)) return false
    this.validBlocks.add(block)
    return true
  }

  private planOf(number: number, seconds: number): BftBlockPlan {
    return {
      parent: this.parts.parent,
      round: number,
      timestamp: BigInt(seconds) < this.earliest ? this.earliest : BigInt(seconds),
    }
  }

  private build(plan: BftBlockPlan): ProposedBlock | undefined {
    const block = this.blocks.build(plan)
    return block && toProposedBlock(this.codec, block)
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

  /** Commits once enough prepares are in, and imports once enough commit seals are in. */
  private advance(current: BftRound): void {
    const { proposal } = current
    if (!proposal) return
    const { block, sealHash } = proposal
    if (!current.isPrepared && current.prepares.size >= this.parts.rules.preparesNeeded) {
      current.isPrepared = true
      this.prepared = preparedIn(current, proposal)
      const seal = this.crypto.sign(sealHash)
      current.seals.set(this.self, seal)
      this.sender.commit(current, block.digest, seal)
    }
    if (!current.isCommitted && current.seals.size >= this.parts.rules.quorum) {
      current.isCommitted = true
      const sealed = sealBlock(this.codec, block, current.number, [...current.seals.values()])
      this.parts.emit({ type: 'import', block: sealed, holders: this.holdersOf(block, current.number) })
    }
  }

  /** Validators that have agreed to a block in a round, and so have it. */
  private holdersOf({ digest }: ProposedBlock, number: number): Address[] {
    return [...this.prepares.ofRound(number), ...this.commits.ofRound(number)]
      .filter(({ signed }) => equalBytes(signed.payload.digest, digest))
      .map(({ signed }) => signed.author)
  }

  private prepare(current: BftRound, { digest }: ProposedBlock): void {
    const sent = current.own.get('prepare')
    if (sent) this.sender.resend(sent)
    else current.prepares.set(this.self, this.sender.prepare(current, digest))
  }

  private accept(current: BftRound, block: ProposedBlock, signed: Signed<DigestPayload>): void {
    setProposal(current, this.protocol, block, signed)
    if (this.parts.rules.mayPrepare(this.address, current.number)) this.prepare(current, block)
    for (const message of this.prepares.ofRound(current.number)) countPrepare(current, message.signed, this.parts.rules)
    for (const message of this.commits.ofRound(current.number)) countCommit(current, message.signed, this.crypto)
    this.advance(current)
  }

  private propose(
    current: BftRound,
    block: ProposedBlock,
    changes: readonly RoundChangeMessage[],
    from: PreparedBlock | undefined,
  ): void {
    this.accept(current, block, this.sender.propose(current, block, changes, from))
  }

  /**
   * The prepared block as it is proposed again in a later round. A block that still carries an older round, as Besu 23
   * proposes it, stays as it is.
   */
  private reproposedBlock({ block, certificate }: PreparedBlock, number: number): ProposedBlock {
    return block.data.round === certificate.round ? withRound(this.codec, block, number) : block
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
      : this.build(this.planOf(current.number, Math.floor(now / 1000)))
    if (block) this.propose(current, block, changes, from)
  }

  private changeRound(number: number, now: number): void {
    const current = this.enterRound(number)
    this.roundChanges.add(this.sender.changeRound(current, this.prepared))
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
    this.accept(this.current?.number === number ? this.current : this.enterRound(number), block, signed)
  }

  private onPrepare(message: PrepareMessage): void {
    const { round: number } = message.signed.payload
    if (
      (this.current && number < this.current.number) ||
      !this.prepares.add(message) ||
      this.current?.number !== number
    )
      return
    countPrepare(this.current, message.signed, this.parts.rules)
    this.advance(this.current)
  }

  private onCommit(message: CommitMessage): void {
    const { round: number } = message.signed.payload
    if ((this.current && number < this.current.number) || !this.commits.add(message) || this.current?.number !== number)
      return
    countCommit(this.current, message.signed, this.crypto)
    this.advance(this.current)
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
        this.onPrepare(message)
        break
      case 'commit':
        this.onCommit(message)
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

  private planFirst(now: number) {
    return this.planOf(0, Math.round(now / 1000))
  }

  /** Proposes a block; while empty blocks have to wait, looks again after a block period. */
  private onBlockTimer(now: number): void {
    if (!this.isFirstDue()) return
    const mustNotBeEmpty = now < this.emptyFrom
    const isIdle = mustNotBeEmpty && !this.blocks.hasTransactions(this.parts.parent)
    const block = isIdle ? undefined : this.buildFirst(now)
    if (isIdle || (mustNotBeEmpty && block && isEmpty(block))) {
      this.wakeForBlock(Math.min(this.emptyFrom, now + this.blockPeriodSeconds * 1000))
      return
    }
    const current = this.current ?? this.enterRound(0)
    if (block) this.propose(current, block, [], undefined)
  }

  /** The block of round 0, where it is this validator's turn. Should it fail, the round begins all the same, and ends. */
  private buildFirst(now: number): ProposedBlock | undefined {
    if (!this.parts.rules.isProposer(this.address, 0)) return undefined
    try {
      return this.build(this.planFirst(now))
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

  private restore(current: BftRound, message: BftMessage): void {
    switch (message.kind) {
      case 'proposal':
        setProposal(current, this.protocol, message.block, message.signed)
        break
      case 'prepare':
        current.prepares.set(this.self, message.signed)
        break
      case 'commit':
        current.seals.set(this.self, message.signed.payload.seal)
        break
      case 'roundChange':
        this.roundChanges.add(message)
        break
      default:
        never(message)
    }
  }

  /** Resumes the round before a restart, and sends its messages again. */
  private resume(record: BftRecord): void {
    const current = this.enterRound(record.round)
    current.voted = record.digest
    this.prepared = record.prepared
    if (this.prepared?.certificate.round === current.number) {
      setProposal(current, this.protocol, this.prepared.block, this.prepared.certificate.proposal)
      current.isPrepared = true
    }
    for (const message of record.messages) {
      const kind = kindOf(this.protocol, message.code)
      if (!kind) continue
      current.own.set(kind, message)
      this.restore(current, readMessage(this.protocol, kind, message.data, this.parts.reader))
      this.sender.resend(message)
    }
    this.advance(current)
  }

  readonly round: BftHeight['round'] = () => this.current?.number ?? -1

  readonly isHeard: BftHeight['isHeard'] = (validator) =>
    this.pace.roundOf(validator) >= Math.max(this.current?.number ?? 0, 0)

  readonly start: BftHeight['start'] = () => {
    if (this.parts.resumed) return this.resume(this.parts.resumed)
    if (this.protocol.startsWithHeight) this.enterRound(0)
    // In QBFT everyone waits for the block period, as the round's timer starts with its end.
    if (!this.protocol.startsWithHeight || this.parts.rules.isProposer(this.address, 0))
      this.wakeForBlock(Number(this.earliest) * 1000)
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
    if (now < this.emptyFrom && !this.blocks.hasTransactions(this.parts.parent)) return
    return this.planFirst(now)
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
      prepared: this.prepared,
    }
  }
}

export function createBftHeight(parts: BftHeightParts): BftHeight {
  return new HeightRounds(parts)
}
