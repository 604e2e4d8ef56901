import { type Address, equalBytes, keyOf } from '../../primitives/bytes.ts'
import { quorumOf } from './checkCommitSeals.ts'
import type {
  Certificate,
  DigestPayload,
  PreparedClaim,
  ProposalMessage,
  RoundChangeMessage,
  Signed,
} from './messages.ts'
import { doClaimsAgree, latestClaim } from './preparedClaims.ts'
import { commitHashAt, type ProposedBlock } from './proposedBlock.ts'
import { createProposerOrder } from './proposer.ts'
import type { BftProtocol } from './protocol.ts'

/** Checks messages of one height. Blocks in them are not executed here, which would cost too much. */
export interface MessageRules {
  /** Validators that must agree. */
  readonly quorum: number
  /** Prepares after which a block is prepared. */
  readonly preparesNeeded: number
  readonly validatorCount: number
  /** Validators that may be faulty. */
  readonly tolerated: number
  proposerOf(round: number): Address
  isProposer(address: Address, round: number): boolean
  isValidator(address: Address): boolean
  /** Whether a validator may send a prepare in a round. */
  mayPrepare(author: Address, round: number): boolean
  isProposal(message: ProposalMessage): boolean
  isRoundChange(message: RoundChangeMessage): boolean
  /** Whether a block was prepared by those who decide on this height. */
  isPrepared(certificate: Certificate): boolean
}

export interface MessageRulesOptions {
  readonly protocol: BftProtocol
  readonly height: bigint
  /** Ascending, not empty. */
  readonly validators: readonly Address[]
  readonly lastProposer: Address
}

/** Who may say what at one height, and how many have to. */
class SignedMessageRules implements MessageRules {
  private readonly options: MessageRulesOptions
  private readonly codec: MessageRulesOptions['protocol']['codec']
  private readonly keys: Set<string>
  readonly quorum: number
  readonly preparesNeeded: number
  readonly proposerOf: ReturnType<typeof createProposerOrder>
  readonly validatorCount: MessageRules['validatorCount']
  readonly tolerated: MessageRules['tolerated']

  constructor(options: MessageRulesOptions) {
    this.options = options
    const { codec } = options.protocol
    this.codec = codec
    this.keys = new Set(options.validators.map(keyOf))
    this.quorum = quorumOf(options.validators.length)
    this.preparesNeeded = options.protocol.proposerPrepares ? this.quorum : this.quorum - 1
    this.proposerOf = createProposerOrder(options.validators, options.lastProposer)
    this.validatorCount = options.validators.length
    this.tolerated = Math.floor((options.validators.length - 1) / 3)
  }

  readonly isValidator: MessageRules['isValidator'] = (address: Address) => this.keys.has(keyOf(address))

  readonly isProposer: MessageRules['isProposer'] = (address: Address, round: number) =>
    equalBytes(this.proposerOf(round), address)

  readonly mayPrepare: MessageRules['mayPrepare'] = (author: Address, round: number) =>
    this.options.protocol.proposerPrepares || !this.isProposer(author, round)

  /** Whether at least `atLeast` messages come from validators, all from different ones. */
  private haveDistinctAuthors(messages: readonly Signed<unknown>[], atLeast: number): boolean {
    const authors = new Set(messages.map(({ author }) => keyOf(author)))
    if (authors.size !== messages.length || authors.size < atLeast) return false
    return messages.every(({ author }) => this.isValidator(author))
  }

  private isAbout({ payload }: Signed<DigestPayload>, { round, digest }: PreparedClaim): boolean {
    return payload.height === this.options.height && payload.round === round && equalBytes(payload.digest, digest)
  }

  private isCertificate(certificate: Certificate, beforeRound: number): boolean {
    const { round, proposal, prepares } = certificate
    if (round >= beforeRound) return false
    if (proposal && !(this.isAbout(proposal, certificate) && this.isProposer(proposal.author, round))) return false
    return (
      this.haveDistinctAuthors(prepares, this.preparesNeeded) &&
      prepares.every((prepare) => this.isAbout(prepare, certificate) && this.mayPrepare(prepare.author, round))
    )
  }

  /** Older versions of Besu propose a prepared block again with its old round in it, newer ones with the new round. */
  private isBlockOf({ round, digest }: PreparedClaim, block: ProposedBlock): boolean {
    if (equalBytes(commitHashAt(this.codec, block, round), digest)) return true
    return !this.options.protocol.bindsRound && equalBytes(block.digest, digest)
  }

  private isByAuthor({ block, signed }: ProposalMessage) {
    return !this.options.protocol.bindsBeneficiary || equalBytes(block.block.header.beneficiary, signed.author)
  }

  /** Whether its round changes allow the proposal in this round, and with this block. */
  private isJustified(message: ProposalMessage): boolean {
    const { signed, block, roundChanges, certificates } = message
    const { round } = signed.payload
    if (round === 0) return roundChanges.length === 0 && certificates.length === 0 && this.isByAuthor(message)
    if (!this.haveDistinctAuthors(roundChanges, this.quorum)) return false
    for (const { payload } of roundChanges) {
      if (payload.height !== this.options.height || payload.round !== round) return false
      if (payload.claim && payload.claim.round >= round) return false
    }
    if (!doClaimsAgree(roundChanges)) return false
    if (!certificates.every((certificate) => this.isCertificate(certificate, round))) return false
    const claim = latestClaim(roundChanges)
    return claim ? this.isBlockOf(claim, block) : this.isByAuthor(message)
  }

  readonly isProposal: MessageRules['isProposal'] = (message) => {
    const { signed, block } = message
    const { round, digest } = signed.payload
    if (signed.payload.height !== this.options.height || block.block.header.number !== this.options.height) return false
    if (!this.isProposer(signed.author, round) || !equalBytes(digest, block.digest)) return false
    if (this.options.protocol.bindsRound && block.data.round !== round) return false
    return this.isJustified(message)
  }

  readonly isPrepared: MessageRules['isPrepared'] = (certificate) =>
    this.isCertificate(certificate, Number.POSITIVE_INFINITY)

  readonly isRoundChange: MessageRules['isRoundChange'] = ({ signed, block, certificate }) => {
    const { payload, author } = signed
    if (payload.height !== this.options.height || payload.round === 0 || !this.isValidator(author)) return false
    if (!certificate || !block) return !certificate && !block
    if (!this.isCertificate(certificate, payload.round)) return false
    if (this.options.protocol.bindsRound && block.data.round !== certificate.round) return false
    return block.block.header.number === this.options.height && equalBytes(block.digest, certificate.digest)
  }
}

export function createMessageRules(options: MessageRulesOptions): MessageRules {
  return new SignedMessageRules(options)
}
