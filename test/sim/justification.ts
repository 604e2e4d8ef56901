import type { HashedHeader } from '../../src/chain/view.ts'
import type { Certificate, ProposalMessage, Signed } from '../../src/consensus/bft/messages.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { type Address, compareBytes, equalBytes, type Hash32, keyOf } from '../../src/primitives/bytes.ts'

/** Who has to propose, worked out once more from the rules. */
export function proposerOf(validators: readonly Address[], { header }: HashedHeader, round: number): Address {
  const upTo = validators.filter((one) => compareBytes(one, header.beneficiary) <= 0).length
  return validators[(upTo + round) % validators.length]!
}

const isQuorum = (count: number, validators: number) => 3 * count >= 2 * validators

/** Where a proposal stands. */
export interface Place {
  readonly parent: HashedHeader
  readonly validators: readonly Address[]
}

/**
 * Says why a proposal must not be voted for, in other words than the node's: by whom it is, what calls for its round, and
 * whether its block is the one that was prepared last. `hashOf` gives the block that a digest stands for.
 */
export function faultOfProposal(
  protocol: BftProtocol,
  message: ProposalMessage,
  { parent, validators }: Place,
  hashOf: (digest: Hash32) => string | undefined,
): string | undefined {
  const { payload, author } = message.signed
  const { height, round } = payload
  const isValidator = (address: Address) => validators.some((one) => equalBytes(one, address))

  function countAuthors(list: readonly Signed<unknown>[]): number {
    return new Set(list.map((signed) => keyOf(signed.author)).filter((_, i) => isValidator(list[i]!.author))).size
  }

  function faultOfCertificate(certificate: Certificate): string | undefined {
    const leader = proposerOf(validators, parent, certificate.round)
    const right = certificate.prepares.filter(
      ({ payload: vote, author: voter }) =>
        vote.height === height &&
        vote.round === certificate.round &&
        equalBytes(vote.digest, certificate.digest) &&
        (protocol.proposerPrepares || !equalBytes(voter, leader)),
    )
    const votes = countAuthors(right) + (protocol.proposerPrepares ? 0 : 1)
    if (!isQuorum(votes, validators.length)) return 'a certificate without a quorum of prepares'
    const { proposal } = certificate
    if (protocol.proposerPrepares || (proposal && equalBytes(proposal.author, leader))) return undefined
    return 'a certificate with a proposal of another'
  }

  if (!equalBytes(author, proposerOf(validators, parent, round))) return 'not its turn'
  if (round === 0) return undefined
  const changes = message.roundChanges.filter(
    ({ payload: change }) => change.height === height && change.round === round,
  )
  if (!isQuorum(countAuthors(changes), validators.length)) return 'no quorum of round changes'
  const claims = changes.flatMap(({ payload: { claim } }) => claim ?? [])
  if (claims.length === 0) return undefined
  const latest = claims.reduce((a, b) => (b.round > a.round ? b : a))
  if (latest.round >= round) return 'a claim of a later round'
  if (hashOf(latest.digest) !== hashOf(message.block.digest)) return 'not the block that was prepared last'
  const proof = message.certificates.find((one) => one.round === latest.round && equalBytes(one.digest, latest.digest))
  return proof ? faultOfCertificate(proof) : 'a claim without a certificate'
}
