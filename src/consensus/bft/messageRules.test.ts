import { describe, expect, test } from 'vitest'
import { type Authority, authorities } from '../../../test/support/authorityChain.ts'
import { blockFor, cheapCryptoOf, genesisOf } from '../../../test/support/machineNetwork.ts'
import { zeroAddress, zeroHash } from '../../primitives/bytes.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import { createBftReader } from './bftReader.ts'
import { createMessageRules } from './messageRules.ts'
import type { BftKind, Certificate, PreparedBlock, ProposalMessage, RoundChangeMessage } from './messages.ts'
import { encodeDigestPayload, encodeSigned, readSignedDigest } from './payloads.ts'
import { type ProposedBlock, toProposedBlock, withRound } from './proposedBlock.ts'

const [a, b, c, d, outsider] = authorities(5) as [Authority, Authority, Authority, Authority, Authority]
const four = [a, b, c, d]
const addresses = four.map(({ address }) => address)

describe.each([[ibft2Protocol], [qbftProtocol]])('$name', (protocol) => {
  const parent = genesisOf(protocol, four)
  const reader = createBftReader(protocol, cheapCryptoOf(a))
  // Of four, a proposes in round 0, b in round 1 and so on.
  const rules = createMessageRules({ protocol, height: 1n, validators: addresses, lastProposer: zeroAddress })
  const preparersOf = (round: number) =>
    protocol.proposerPrepares ? [a, b, c] : [a, b, c].filter((_, i) => i !== round)
  const preparers = preparersOf(0)

  const sign = (who: Authority, kind: BftKind, payload: Uint8Array) =>
    encodeSigned(payload, cheapCryptoOf(who).sign(protocol.signingDigest(protocol.codes[kind], payload)))
  const blockOf = (round: number, proposer = a, timestamp = 1n): ProposedBlock =>
    toProposedBlock(protocol.codec, blockFor(protocol, proposer, four, { parent, round, timestamp }))
  const digestSigned = (who: Authority, kind: 'proposal' | 'prepare', payload: Uint8Array) =>
    readSignedDigest(protocol, kind, sign(who, kind, payload), reader)

  function certify(
    block: ProposedBlock,
    round: number,
    who: readonly Authority[] = preparersOf(round),
    leader = four[round]!,
  ) {
    const { digest } = block
    const payload = encodeDigestPayload(protocol, { height: 1n, round, digest })
    const proposal = protocol.proposerPrepares ? undefined : digestSigned(leader, 'proposal', payload)
    const certificate: Certificate = {
      round,
      digest,
      proposal,
      prepares: who.map((one) => digestSigned(one, 'prepare', payload)),
    }
    return { block, certificate }
  }

  function roundChange(who: Authority, round: number, prepared?: PreparedBlock, height = 1n): RoundChangeMessage {
    const payload = protocol.encodeRoundChangePayload({ height, round }, prepared?.certificate)
    return protocol.readRoundChange(protocol.encodeRoundChange(sign(who, 'roundChange', payload), prepared), reader)
  }

  function proposal(
    who: Authority,
    round: number,
    block: ProposedBlock,
    changes: readonly RoundChangeMessage[] = [],
    certificate?: Certificate,
    height = 1n,
  ): ProposalMessage {
    const signed = sign(who, 'proposal', protocol.encodeProposalPayload({ height, round }, block))
    const justification = changes.map((change) => change.signed.bytes)
    return protocol.readProposal(protocol.encodeProposal(signed, block, justification, certificate), reader)
  }

  const first = blockOf(0)
  const prepared = certify(first, 0)
  const again = withRound(protocol.codec, first, 1)
  const fresh = blockOf(1, b)
  const none = [b, c, d].map((who) => roundChange(who, 1))
  const some = [roundChange(b, 1, prepared), roundChange(c, 1), roundChange(d, 1)]

  describe('takes a proposal', () => {
    test.each<[string, ProposalMessage]>([
      ['of round 0', proposal(a, 0, first)],
      ['of a later round in which all is open', proposal(b, 1, fresh, none)],
      ['of what was prepared', proposal(b, 1, again, some, prepared.certificate)],
    ])('%s', (_, message) => expect(rules.isProposal(message)).toBe(true))
  })

  describe('refuses a proposal', () => {
    const twice = [roundChange(b, 1), roundChange(b, 1), roundChange(c, 1)]
    const stranger = [roundChange(outsider, 1), roundChange(c, 1), roundChange(d, 1)]
    const early = [roundChange(b, 2), roundChange(c, 1), roundChange(d, 1)]
    const elsewhere = [roundChange(b, 1, undefined, 2n), roundChange(c, 1), roundChange(d, 1)]
    const other = certify(blockOf(0, a, 2n), 0)
    const split = [roundChange(b, 1, prepared), roundChange(c, 1, other), roundChange(d, 1)]
    const weak = certify(first, 0, preparers.slice(1))
    const fromLater = certify(withRound(protocol.codec, first, 1), 1)
    const cases: [string, () => ProposalMessage][] = [
      ['of one whose turn it is not', () => proposal(b, 0, first)],
      ['of one whose turn it was', () => proposal(a, 1, fresh, none)],
      ['of another height', () => proposal(a, 0, first, [], undefined, 2n)],
      ['of round 0 with round changes', () => proposal(a, 0, first, none)],
      ['without round changes', () => proposal(b, 1, fresh)],
      ['with too few round changes', () => proposal(b, 1, fresh, none.slice(1))],
      ['with a round change twice', () => proposal(b, 1, fresh, twice)],
      ["with a stranger's round change", () => proposal(b, 1, fresh, stranger)],
      ['with a round change to another round', () => proposal(b, 1, fresh, early)],
      ['with a round change of another height', () => proposal(b, 1, fresh, elsewhere)],
      ['of something new where something was prepared', () => proposal(b, 1, fresh, some, prepared.certificate)],
      ['with claims that contradict each other', () => proposal(b, 1, again, split, prepared.certificate)],
      [
        'with too few prepares',
        () => proposal(b, 1, again, [roundChange(b, 1, weak), ...none.slice(1)], weak.certificate),
      ],
      [
        'with what was prepared in the same round',
        () => proposal(b, 1, again, [roundChange(b, 1, fromLater), ...none.slice(1)], fromLater.certificate),
      ],
    ]
    test.each(cases)('%s', (_, message) => expect(rules.isProposal(message())).toBe(false))

    if (protocol.bindsRound)
      test('whose block carries another round', () => {
        expect(rules.isProposal(proposal(b, 1, blockOf(0, b), none))).toBe(false)
      })

    if (protocol.bindsBeneficiary)
      test('that is new and names another as its proposer', () => {
        expect(rules.isProposal(proposal(a, 0, blockOf(0, b)))).toBe(false)
        expect(rules.isProposal(proposal(b, 1, blockOf(1, a), none))).toBe(false)
      })
  })

  if (!protocol.bindsRound)
    test('takes a prepared block with whatever round it was prepared', () => {
      expect(rules.isProposal(proposal(b, 1, first, some, prepared.certificate))).toBe(true)
      // Besu 23 proposes it as it was, so that in round 2 it still carries round 0.
      const late = certify(first, 1)
      const changes = [roundChange(b, 2, late), roundChange(c, 2, prepared), roundChange(d, 2)]
      expect(rules.isProposal(proposal(c, 2, first, changes, late.certificate))).toBe(true)
    })

  test('what was prepared last counts', () => {
    const second = certify(fresh, 1)
    const changes = [roundChange(b, 2, prepared), roundChange(c, 2, second), roundChange(d, 2)]
    const renewed = (block: ProposedBlock) => withRound(protocol.codec, block, 2)
    expect(rules.isProposal(proposal(c, 2, renewed(fresh), changes, second.certificate))).toBe(true)
    expect(rules.isProposal(proposal(c, 2, renewed(first), changes, prepared.certificate))).toBe(false)
  })

  describe('takes a round change', () => {
    test.each<[string, RoundChangeMessage]>([
      ['of nothing', roundChange(d, 1)],
      ['of what was prepared', roundChange(d, 1, prepared)],
      ['to any later round', roundChange(d, 7, prepared)],
    ])('%s', (_, message) => expect(rules.isRoundChange(message)).toBe(true))
  })

  describe('refuses a round change', () => {
    const digestOfNothing = { ...prepared, certificate: { ...prepared.certificate, digest: zeroHash } }
    const cases: [string, () => RoundChangeMessage][] = [
      ['of a stranger', () => roundChange(outsider, 1)],
      ['to round 0', () => roundChange(d, 0)],
      ['of another height', () => roundChange(d, 1, undefined, 2n)],
      ['to the round in which it was prepared', () => roundChange(d, 1, certify(again, 1))],
      ['with too few prepares', () => roundChange(d, 1, certify(first, 0, preparers.slice(1)))],
      ['with a prepare twice', () => roundChange(d, 1, certify(first, 0, [b, c, c]))],
      ["with a stranger's prepare", () => roundChange(d, 1, certify(first, 0, [b, c, outsider]))],
      ['with another block', () => roundChange(d, 1, { ...prepared, block: blockOf(0, a, 2n) })],
      ['with a claim but no block', () => ({ ...roundChange(d, 1, prepared), block: undefined })],
      ['with a block but no claim', () => ({ ...roundChange(d, 1, prepared), certificate: undefined })],
    ]
    test.each(cases)('%s', (_, message) => expect(rules.isRoundChange(message())).toBe(false))

    if (protocol.proposerPrepares)
      test('whose prepares are for another block', () => {
        expect(rules.isRoundChange(roundChange(d, 1, digestOfNothing))).toBe(false)
      })

    if (!protocol.proposerPrepares)
      test("with a prepare of the proposer, or without the proposer's word", () => {
        expect(rules.isRoundChange(roundChange(d, 1, certify(first, 0, [a, b, c])))).toBe(false)
        expect(rules.isRoundChange(roundChange(d, 1, certify(first, 0, [b, c, d], b)))).toBe(false)
      })
  })
})
