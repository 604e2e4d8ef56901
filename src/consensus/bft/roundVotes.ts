import { type Address, equalBytes, keyOf } from '../../primitives/bytes.ts'
import type { BftHeightParts } from './bftHeight.ts'
import { type AcceptedProposal, type BftRound, countCommit, countPrepare, preparedIn, setProposal } from './bftRound.ts'
import { createLatestByAuthor } from './latestByAuthor.ts'
import type { MessageSender } from './messageSender.ts'
import type { CommitMessage, DigestPayload, PreparedBlock, PrepareMessage, Signed } from './messages.ts'
import { sealToSign } from './messageToSign.ts'
import { type ProposedBlock, sealBlock } from './proposedBlock.ts'

/** What follows a proposal within a round: prepares and commits are sent and counted, until the block is imported. */
export interface RoundVotes {
  /** Accepts the proposal of the round in progress: votes for it, and counts votes that arrived before it. */
  accept(current: BftRound, block: ProposedBlock, signed: Signed<DigestPayload>): void
  /** Keeps a prepare, and counts it if it is of the round in progress. */
  onPrepare(message: PrepareMessage, current: BftRound | undefined): void
  /** Keeps a commit, and counts it if it is of the round in progress. */
  onCommit(message: CommitMessage, current: BftRound | undefined): void
  /** Commits once enough prepares are in, and imports once enough commit seals are in. */
  advance(current: BftRound): void
  /** The block that was prepared last at this height; round changes must include it. */
  prepared(): PreparedBlock | undefined
  /** Takes over what was prepared before a restart. */
  restorePrepared(prepared: PreparedBlock | undefined): void
}

/** The votes of one height. They outlast a round: those of later rounds may come first. */
class HeightVotes implements RoundVotes {
  private readonly parts: BftHeightParts
  private readonly sender: MessageSender
  private readonly self: string
  // Messages of this round and later ones, including those that arrived before their proposal.
  private readonly prepares = createLatestByAuthor<PrepareMessage>()
  private readonly commits = createLatestByAuthor<CommitMessage>()
  private latestPrepared: PreparedBlock | undefined

  constructor(parts: BftHeightParts, sender: MessageSender) {
    this.parts = parts
    this.sender = sender
    this.self = keyOf(parts.parts.address)
  }

  /** Validators that have agreed to a block in a round, and so have it. */
  private holdersOf({ digest }: ProposedBlock, number: number): Address[] {
    return [...this.prepares.ofRound(number), ...this.commits.ofRound(number)]
      .filter(({ signed }) => equalBytes(signed.payload.digest, digest))
      .map(({ signed }) => signed.author)
  }

  private prepare(current: BftRound, { digest }: ProposedBlock, then: () => void): void {
    const sent = current.own.get('prepare')
    if (sent) {
      this.sender.resend(sent)
      return
    }
    this.sender.prepare(current, digest, (signed) => {
      current.prepares.set(this.self, signed)
      then()
    })
  }

  /** Seals the block and commits to it; the own seal counts when both are signed. */
  private commit(current: BftRound, proposal: AcceptedProposal, then: () => void): void {
    // Whoever holds the key may remember the commitment although its answer is lost: what was prepared must not be lost then.
    this.sender.keepRecord()
    const what = sealToSign(this.parts.parts.protocol, current.number, proposal)
    this.parts.signing.sign(
      what,
      () => this.sender.isCurrent(current),
      (seal) =>
        this.sender.commit(current, proposal.block.digest, seal, () => {
          current.seals.set(this.self, seal)
          then()
        }),
    )
  }

  readonly advance: RoundVotes['advance'] = (current) => {
    const { proposal } = current
    if (!proposal) return
    const { rules, emit } = this.parts
    const { protocol } = this.parts.parts
    const { block } = proposal
    if (!current.isPrepared && current.prepares.size >= rules.preparesNeeded) {
      current.isPrepared = true
      this.latestPrepared = preparedIn(current, proposal)
      let isLater = false
      this.commit(current, proposal, () => {
        if (isLater) this.advance(current)
      })
      isLater = true
    }
    if (!current.isCommitted && current.seals.size >= rules.quorum) {
      current.isCommitted = true
      const sealed = sealBlock(protocol.codec, block, current.number, [...current.seals.values()])
      emit({ type: 'import', block: sealed, holders: this.holdersOf(block, current.number) })
    }
  }

  readonly accept: RoundVotes['accept'] = (current, block, signed) => {
    const { rules } = this.parts
    const { protocol, address, crypto } = this.parts.parts
    setProposal(current, protocol, block, signed)
    let isLater = false
    if (rules.mayPrepare(address, current.number))
      this.prepare(current, block, () => {
        if (isLater) this.advance(current)
      })
    for (const message of this.prepares.ofRound(current.number)) countPrepare(current, message.signed, rules)
    for (const message of this.commits.ofRound(current.number)) countCommit(current, message.signed, crypto)
    this.advance(current)
    isLater = true
  }

  readonly onPrepare: RoundVotes['onPrepare'] = (message, current) => {
    if (!this.prepares.add(message) || current?.number !== message.signed.payload.round) return
    countPrepare(current, message.signed, this.parts.rules)
    this.advance(current)
  }

  readonly onCommit: RoundVotes['onCommit'] = (message, current) => {
    if (!this.commits.add(message) || current?.number !== message.signed.payload.round) return
    countCommit(current, message.signed, this.parts.parts.crypto)
    this.advance(current)
  }

  readonly prepared: RoundVotes['prepared'] = () => this.latestPrepared

  readonly restorePrepared: RoundVotes['restorePrepared'] = (prepared) => {
    this.latestPrepared = prepared
  }
}

export function createRoundVotes(parts: BftHeightParts, sender: MessageSender): RoundVotes {
  return new HeightVotes(parts, sender)
}
