import { equalBytes } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { decodeRlp, encodeRlp, encodeRlpList, RlpError, rlpScalar, scalar } from '../../primitives/rlp.ts'
import { rlpMembers } from '../../primitives/rlpMembers.ts'
import { withoutList } from '../bft/messageEncoding.ts'
import type {
  BftReader,
  Certificate,
  DigestPayload,
  PreparedClaim,
  RoundChangePayload,
  Signed,
} from '../bft/messages.ts'
import { encodeView, readHash, readSigned, readSignedDigest, readSignedList, readView } from '../bft/payloads.ts'
import { latestClaim } from '../bft/preparedClaims.ts'
import type { ProposedBlock } from '../bft/proposedBlock.ts'
import type { BftProtocol } from '../bft/protocol.ts'
import { qbftCodec } from './qbftCodec.ts'

const emptyList = Uint8Array.of(0xc0)
const heightBits = 64
const roundBits = 32

function encodeClaim({ round, digest }: PreparedClaim): Uint8Array {
  return encodeRlp([scalar(round), digest])
}

function readClaim(bytes: Uint8Array): PreparedClaim | undefined {
  if (equalBytes(bytes, emptyList)) return undefined
  const [round, digest] = rlpMembers(bytes, 2)
  return { round: qbftProtocol.round.read(decodeRlp(round!)), digest: readHash(digest!) }
}

function readRoundChanges(bytes: Uint8Array, reader: BftReader): Signed<RoundChangePayload>[] {
  return readSignedList(bytes, reader, (signed) => readSignedRoundChange(signed, reader))
}

function readSignedRoundChange(bytes: Uint8Array, reader: BftReader): Signed<RoundChangePayload> {
  return readSigned(qbftProtocol, 'roundChange', bytes, reader, 3, (members) => ({
    ...readView(qbftProtocol, members),
    claim: readClaim(members[2]!),
  }))
}

function readPrepares(bytes: Uint8Array, reader: BftReader): Signed<DigestPayload>[] {
  return readSignedList(bytes, reader, (signed) => readSignedDigest(qbftProtocol, 'prepare', signed, reader))
}

function encodePrepares(certificate: Certificate | undefined): Uint8Array {
  return encodeRlpList((certificate?.prepares ?? []).map(({ bytes }) => bytes))
}

/** The prepares prove the latest claim; if there is no claim, there must be no prepares. */
function certificatesOf(
  roundChanges: readonly Signed<RoundChangePayload>[],
  prepares: readonly Signed<DigestPayload>[],
): Certificate[] {
  const latest = latestClaim(roundChanges)
  if (latest) return [{ ...latest, proposal: undefined, prepares }]
  if (prepares.length > 0) throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: 0, have: prepares.length })
  return []
}

/** QBFT: numbers are scalars, proposals sign their block, and prepares follow the claim that they prove. */
export const qbftProtocol: BftProtocol = {
  name: 'qbft',
  wire: { name: 'istanbul', version: 100, length: 0x16 },
  codec: qbftCodec,
  codes: { proposal: 0x12, prepare: 0x13, commit: 0x14, roundChange: 0x15 },
  accessList: {
    proposal: { at: 3, count: 4, isSigned: true },
    roundChange: { at: 2, count: 4, isSigned: false },
  },
  height: { write: scalar, read: (item) => rlpScalar(item, heightBits) },
  round: { write: scalar, read: (item) => Number(rlpScalar(item, roundBits)) },
  startsWithHeight: false,
  proposerPrepares: true,
  bindsRound: false,
  bindsBeneficiary: true,
  signsBlocks: true,
  checksPreparedBlocks: true,

  signingDigest: (code, payload) => keccak256(qbftProtocol.signingContent(code, payload)),
  signingContent: (code, payload) => encodeRlpList([encodeRlp(scalar(code)), payload]),
  encodeProposalPayload: (view, { bytes }) => encodeRlpList([...encodeView(qbftProtocol, view), bytes]),
  encodeRoundChangePayload: (view, certificate) =>
    encodeRlpList([...encodeView(qbftProtocol, view), certificate ? encodeClaim(certificate) : emptyList]),
  encodeProposal: (signed, _, roundChanges, certificate) =>
    encodeRlpList([signed, encodeRlpList([encodeRlpList(roundChanges), encodePrepares(certificate)])]),
  encodeRoundChange: (signed, prepared) =>
    encodeRlpList([signed, prepared?.block.bytes ?? emptyList, encodePrepares(prepared?.certificate)]),

  readProposal(data, reader) {
    const [proposal, justification] = rlpMembers(data, 2)
    let block: ProposedBlock
    const signed = readSigned(qbftProtocol, 'proposal', proposal!, reader, undefined, (items) => {
      const { members } = withoutList(items, qbftProtocol.accessList.proposal)
      block = reader.block(members[2]!)
      return { ...readView(qbftProtocol, members), digest: block.digest }
    })
    const [changes, prepares] = rlpMembers(justification!, 2)
    const roundChanges = readRoundChanges(changes!, reader)
    const certificates = certificatesOf(roundChanges, readPrepares(prepares!, reader))
    return { kind: 'proposal', signed, block: block!, roundChanges, certificates }
  },
  readRoundChange(data, reader) {
    const [change, block, list] = withoutList(rlpMembers(data), qbftProtocol.accessList.roundChange).members
    const signed = readSignedRoundChange(change!, reader)
    const prepares = readPrepares(list!, reader)
    const { claim } = signed.payload
    return {
      kind: 'roundChange',
      signed,
      block: equalBytes(block!, emptyList) ? undefined : reader.block(block!),
      certificate: claim && { ...claim, proposal: undefined, prepares },
    }
  },
}
