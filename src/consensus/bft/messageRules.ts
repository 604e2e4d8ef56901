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
}

export interface MessageRulesOptions {
  readonly protocol: BftProtocol
  readonly height: bigint
  /** Ascending, not empty. */
  readonly validators: readonly Address[]
  readonly lastProposer: Address
}

export function createMessageRules({ protocol, height, validators, lastProposer }: MessageRulesOptions): MessageRules {
  const { codec } = protocol
  const keys = new Set(validators.map(keyOf))
  const quorum = quorumOf(validators.length)
  const preparesNeeded = protocol.proposerPrepares ? quorum : quorum - 1
  const proposerOf = createProposerOrder(validators, lastProposer)
  const isValidator = (address: Address) => keys.has(keyOf(address))
  const isProposer = (address: Address, round: number) => equalBytes(proposerOf(round), address)
  const mayPrepare = (author: Address, round: number) => protocol.proposerPrepares || !isProposer(author, round)

  /** Whether at least `atLeast` messages come from validators, all from different ones. */
  function haveDistinctAuthors(messages: readonly Signed<unknown>[], atLeast: number): boolean {
    const authors = new Set(messages.map(({ author }) => keyOf(author)))
    if (authors.size !== messages.length || authors.size < atLeast) return false
    return messages.every(({ author }) => isValidator(author))
  }

  function isAbout({ payload }: Signed<DigestPayload>, { round, digest }: PreparedClaim): boolean {
    return payload.height === height && payload.round === round && equalBytes(payload.digest, digest)
  }

  function isCertificate(certificate: Certificate, beforeRound: number): boolean {
    const { round, proposal, prepares } = certificate
    if (round >= beforeRound) return false
    if (proposal && !(isAbout(proposal, certificate) && isProposer(proposal.author, round))) return false
    return (
      haveDistinctAuthors(prepares, preparesNeeded) &&
      prepares.every((prepare) => isAbout(prepare, certificate) && mayPrepare(prepare.author, round))
    )
  }

  /** Older versions of Besu propose a prepared block again with its old round in it, newer ones with the new round. */
  function isBlockOf({ round, digest }: PreparedClaim, block: ProposedBlock): boolean {
    if (equalBytes(commitHashAt(codec, block, round), digest)) return true
    return !protocol.bindsRound && equalBytes(block.digest, digest)
  }

  const isByAuthor = ({ block, signed }: ProposalMessage) =>
    !protocol.bindsBeneficiary || equalBytes(block.block.header.beneficiary, signed.author)

  /** Whether its round changes allow the proposal in this round, and with this block. */
  function isJustified(message: ProposalMessage): boolean {
    const { signed, block, roundChanges, certificates } = message
    const { round } = signed.payload
    if (round === 0) return roundChanges.length === 0 && certificates.length === 0 && isByAuthor(message)
    if (!haveDistinctAuthors(roundChanges, quorum)) return false
    for (const { payload } of roundChanges) {
      if (payload.height !== height || payload.round !== round) return false
      if (payload.claim && payload.claim.round >= round) return false
    }
    if (!doClaimsAgree(roundChanges)) return false
    if (!certificates.every((certificate) => isCertificate(certificate, round))) return false
    const claim = latestClaim(roundChanges)
    return claim ? isBlockOf(claim, block) : isByAuthor(message)
  }

  return {
    quorum,
    preparesNeeded,
    validatorCount: validators.length,
    tolerated: Math.floor((validators.length - 1) / 3),
    proposerOf,
    isProposer,
    isValidator,
    mayPrepare,
    isProposal(message) {
      const { signed, block } = message
      const { round, digest } = signed.payload
      if (signed.payload.height !== height || block.block.header.number !== height) return false
      if (!isProposer(signed.author, round) || !equalBytes(digest, block.digest)) return false
      if (protocol.bindsRound && block.data.round !== round) return false
      return isJustified(message)
    },
    isRoundChange({ signed, block, certificate }) {
      const { payload, author } = signed
      if (payload.height !== height || payload.round === 0 || !isValidator(author)) return false
      if (!certificate || !block) return !certificate && !block
      if (!isCertificate(certificate, payload.round)) return false
      if (protocol.bindsRound && block.data.round !== certificate.round) return false
      return block.block.header.number === height && equalBytes(block.digest, certificate.digest)
    },
  }
}
