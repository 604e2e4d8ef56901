import { concatBytes, equalBytes } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeRlpList, rlpBytes } from '../../primitives/rlp.ts'
import { rlpMembers } from '../../primitives/rlpMembers.ts'
import { bigIntToFixed, bytesToBigInt } from '../../primitives/u256.ts'
import { withoutList } from '../bft/messageEncoding.ts'
import type { BftReader, Certificate, RoundChangePayload, Signed } from '../bft/messages.ts'
import {
  encodeDigestPayload,
  encodeView,
  readSigned,
  readSignedDigest,
  readSignedList,
  readView,
} from '../bft/payloads.ts'
import type { BftProtocol } from '../bft/protocol.ts'
import { ibft2Codec } from './ibft2Codec.ts'

/** Encoding of an absent certificate or block. */
const nothing = Uint8Array.of(0x80)
const heightLength = 8
const roundLength = 4

interface ProvenPayload extends RoundChangePayload {
  readonly claim: Certificate | undefined
}

function encodeCertificate({ proposal, prepares }: Certificate): Uint8Array {
  return encodeRlpList([proposal!.bytes, encodeRlpList(prepares.map(({ bytes }) => bytes))])
}

function readCertificate(bytes: Uint8Array, reader: BftReader): Certificate | undefined {
  if (equalBytes(bytes, nothing)) return undefined
  const [first, rest] = rlpMembers(bytes, 2)
  const proposal = readSignedDigest(ibft2Protocol, 'proposal', first!, reader)
  const prepares = readSignedList(rest!, reader, (signed) => readSignedDigest(ibft2Protocol, 'prepare', signed, reader))
  const { round, digest } = proposal.payload
  return { round, digest, proposal, prepares }
}

function readSignedRoundChange(bytes: Uint8Array, reader: BftReader): Signed<ProvenPayload> {
  return readSigned(ibft2Protocol, 'roundChange', bytes, reader, 3, (members) => ({
    ...readView(ibft2Protocol, members),
    claim: readCertificate(members[2]!, reader),
  }))
}

function readRoundChanges(bytes: Uint8Array, reader: BftReader): Signed<ProvenPayload>[] {
  if (equalBytes(bytes, nothing)) return []
  const [changes] = rlpMembers(bytes, 1)
  return readSignedList(changes!, reader, (signed) => readSignedRoundChange(signed, reader))
}

/** IBFT 2.0: numbers have fixed lengths, digests are signed, and each round change contains its own certificate. */
export const ibft2Protocol: BftProtocol = {
  name: 'ibft2',
  wire: { name: 'IBF', version: 1, length: 4 },
  codec: ibft2Codec,
  codes: { proposal: 0, prepare: 1, commit: 2, roundChange: 3 },
  accessList: {
    proposal: { at: 3, count: 4, isSigned: false },
    roundChange: { at: 2, count: 3, isSigned: false },
  },
  height: {
    write: (height) => bigIntToFixed(height, heightLength),
    read: (item) => bytesToBigInt(rlpBytes(item, heightLength)),
  },
  round: {
    write: (round) => bigIntToFixed(BigInt(round), roundLength),
    read: (item) => Number(bytesToBigInt(rlpBytes(item, roundLength))),
  },
  startsWithHeight: true,
  proposerPrepares: false,
  bindsRound: true,
  bindsBeneficiary: false,
  signsBlocks: false,
  checksPreparedBlocks: false,

  signingDigest: (code, payload) => keccak256(ibft2Protocol.signingContent(code, payload)),
  signingContent: (code, payload) => concatBytes(Uint8Array.of(code), payload),
  encodeProposalPayload: (view, { digest }) => encodeDigestPayload(ibft2Protocol, { ...view, digest }),
  encodeRoundChangePayload: (view, certificate) =>
    encodeRlpList([...encodeView(ibft2Protocol, view), certificate ? encodeCertificate(certificate) : nothing]),
  encodeProposal: (signed, { bytes }, roundChanges) =>
    encodeRlpList([signed, bytes, roundChanges.length > 0 ? encodeRlpList([encodeRlpList(roundChanges)]) : nothing]),
  encodeRoundChange: (signed, prepared) => encodeRlpList([signed, prepared?.block.bytes ?? nothing]),

  readProposal(data, reader) {
    const [proposal, block, changes] = withoutList(rlpMembers(data), ibft2Protocol.accessList.proposal).members
    const signed = readSignedDigest(ibft2Protocol, 'proposal', proposal!, reader)
    const roundChanges = readRoundChanges(changes!, reader)
    const certificates = roundChanges.flatMap(({ payload }) => payload.claim ?? [])
    return { kind: 'proposal', signed, block: reader.block(block!), roundChanges, certificates }
  },
  readRoundChange(data, reader) {
    const [change, block] = withoutList(rlpMembers(data), ibft2Protocol.accessList.roundChange).members
    const signed = readSignedRoundChange(change!, reader)
    return {
      kind: 'roundChange',
      signed,
      block: equalBytes(block!, nothing) ? undefined : reader.block(block!),
      certificate: signed.payload.claim,
    }
  },
}
