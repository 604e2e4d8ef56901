import { bftCommitHash } from '../consensus/bft/bftHash.ts'
import { withoutList } from '../consensus/bft/messageEncoding.ts'
import { ibft2Protocol } from '../consensus/ibft2/ibft2Protocol.ts'
import { qbftCodec } from '../consensus/qbft/qbftCodec.ts'
import { qbftProtocol } from '../consensus/qbft/qbftProtocol.ts'
import { sealLength } from '../consensus/recoverSeal.ts'
import type { SignedKind } from '../keys/nodeIdentity.ts'
import { equalBytes, toHash32, zeroHash } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'
import { toHex } from '../primitives/hex.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar } from '../primitives/rlp.ts'
import { rlpMembers } from '../primitives/rlpMembers.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import { bftMixHash, type Header, headerFromRlp } from '../types/header.ts'
import type { Claim } from './claim.ts'
import { KeyServerError } from './fault.ts'

// What is signed is always the Keccak hash of `content`, which this server makes itself. So a signature that was given for one purpose can
// serve another only if the same bytes can be read in both ways. They cannot, whatever the node sends:
//
// - A message of QBFT is an RLP list of 2 items. A header is a list of at least 15 items, of which the first, the parent's hash, has 32 bytes.
//   A node record is a list of an odd number of items, at least 5, of which the first has at most 8 bytes. First bytes of lists are 0xc0
//   and above.
// - A packet of discovery is a byte from 1 to 6 and a list; a message of IBFT 2.0 is a byte from 0 to 3 and a list that begins with 8 bytes and
//   4 bytes. Of the packets that share a byte with such a message, Ping (1) has a list as its second item, Pong (2) has one as its first,
//   and FindNode (3) has 64 bytes there.
// - A header of BFT has the mix hash that marks it as such; one of Clique has zeros. In extra data that is sealed, IBFT 2.0 has 4 items, and QBFT 5.
// - Transactions: old ones are lists of 6 or 9 items, and a record of 9 items ends with a key that is not empty, where such a transaction has
//   nothing; others are a byte from 1 to 4 and a list of at least 8 items; an authorization (EIP-7702) is 5 and 3 items; and signed text begins
//   with 0x19.
//
// So every reader below insists on the number and the kind of the items. `readClaim.test.ts` has each content read as all other kinds.

const minHeaderItems = 15
const minRecordItems = 5

function malformed(reason: string): KeyServerError {
  return new KeyServerError({ code: 'MALFORMED', reason })
}

/** What signing this would say; throws on what is not of that kind. */
export function readClaim(kind: SignedKind, content: Uint8Array): Claim {
  try {
    return readers[kind](content)
  } catch (error) {
    // What does not decode is a fault of another room.
    if (error instanceof KeyServerError || !(error instanceof Fault)) throw error
    throw malformed(`not ${kind}: ${error.message}`)
  }
}

const readers: Readonly<Record<SignedKind, (content: Uint8Array) => Claim>> = {
  packet: readPacket,
  record: readRecord,
  ibft2: readIbft2,
  qbft: readQbft,
  'ibft2-seal': (content) => readSeal(content, ibft2Round),
  'qbft-seal': (content) => readSeal(content, qbftRound),
  clique: readClique,
}

const isBytes = (item: RlpItem | undefined): item is Uint8Array => item instanceof Uint8Array
const isList = (item: RlpItem | undefined) => item !== undefined && !isBytes(item)
const hasLength = (length: number) => (item: RlpItem | undefined) => isBytes(item) && item.length === length

/** The items of each packet, by its first byte. */
const packets: Readonly<Record<number, readonly ((item: RlpItem | undefined) => boolean)[]>> = {
  1: [isBytes, isList, isList, isBytes, isBytes],
  2: [isList, hasLength(32), isBytes, isBytes],
  3: [hasLength(64), isBytes],
  4: [isList, isBytes],
  5: [isBytes],
  6: [hasLength(32), isList],
}

function readPacket(content: Uint8Array): Claim {
  const shape = packets[content[0] ?? 0]
  const items = rlpList(decodeRlp(content.subarray(1)))
  if (shape?.length !== items.length || !shape.every((fits, i) => fits(items[i])))
    throw malformed('not a packet of discovery')
  return { type: 'free' }
}

function readRecord(content: Uint8Array): Claim {
  const [seq, ...pairs] = rlpList(decodeRlp(content))
  if (pairs.length < minRecordItems - 1 || pairs.length % 2 === 1 || !isBytes(seq) || seq.length > 8)
    throw malformed('not a node record')
  const names = pairs.filter((_, i) => i % 2 === 0).map((name) => Buffer.from(rlpBytes(name)).toString('latin1'))
  const at = names.indexOf('id')
  const isAscending = names.every((name, i) => name > (names[i - 1] ?? ''))
  if (!isAscending || at < 0 || Buffer.from(rlpBytes(pairs[2 * at + 1])).toString('latin1') !== 'v4')
    throw malformed('not a node record')
  return { type: 'free' }
}

interface View {
  readonly height: bigint
  readonly round: number
}

function vote(view: View, digest: Uint8Array, commits: boolean): Claim {
  return { type: 'bft', ...view, word: 'vote', value: toHex(digest), commits }
}

function roundChange(view: View, claim: readonly [number, Uint8Array] | undefined): Claim {
  const value = claim ? `${claim[0]} ${toHex(claim[1])}` : 'nothing prepared'
  return { type: 'bft', ...view, word: 'roundChange', value, commits: false, preparedRound: claim?.[0] }
}

function readIbft2(content: Uint8Array): Claim {
  const { codes } = ibft2Protocol
  const items = rlpList(decodeRlp(content.subarray(1)))
  const view = { height: bytesToBigInt(rlpBytes(items[0], 8)), round: Number(bytesToBigInt(rlpBytes(items[1], 4))) }
  switch (content[0]) {
    case codes.proposal:
    case codes.prepare:
      return vote(view, rlpBytes(rlpList(items, 3)[2], 32), false)
    case codes.commit:
      rlpBytes(rlpList(items, 4)[3], sealLength)
      return vote(view, rlpBytes(items[2], 32), true)
    case codes.roundChange:
      return roundChange(view, ibft2Claim(rlpList(items, 3)[2]))
    default:
      throw malformed('not a message of IBFT 2.0')
  }
}

/** The claim of a certificate: the proposal that was prepared, signed by its author. */
function ibft2Claim(certificate: RlpItem | undefined): readonly [number, Uint8Array] | undefined {
  if (isBytes(certificate) && certificate.length === 0) return undefined
  const [proposal] = rlpList(certificate, 2)
  const [, round, digest] = rlpList(rlpList(proposal, 2)[0], 3)
  return [Number(bytesToBigInt(rlpBytes(round, 4))), rlpBytes(digest, 32)]
}

function readQbft(content: Uint8Array): Claim {
  const { codes, accessList } = qbftProtocol
  const [encodedCode, payload] = rlpMembers(content, 2)
  const members = rlpMembers(payload!)
  const items = members.map((member) => decodeRlp(member))
  const view = { height: qbftProtocol.height.read(items[0]!), round: qbftProtocol.round.read(items[1]!) }
  switch (Number(rlpScalar(decodeRlp(encodedCode!), 8))) {
    case codes.proposal:
      return vote(view, proposedDigest(view, withoutList(members, accessList.proposal).members[2]!), false)
    case codes.prepare:
      return vote(view, rlpBytes(rlpList(items, 3)[2], 32), false)
    case codes.commit:
      rlpBytes(rlpList(items, 4)[3], sealLength)
      return vote(view, rlpBytes(items[2], 32), true)
    case codes.roundChange:
      return roundChange(view, qbftClaim(rlpList(rlpList(items, 3)[2])))
    default:
      throw malformed('not a message of QBFT')
  }
}

function qbftClaim(claim: readonly RlpItem[]): readonly [number, Uint8Array] | undefined {
  if (claim.length === 0) return undefined
  const [round, digest] = rlpList(claim, 2)
  return [Number(rlpScalar(round, 32)), rlpBytes(digest, 32)]
}

/** The digest that prepares and commits of a proposed block name. */
function proposedDigest({ height }: View, block: Uint8Array): Uint8Array {
  const header = headerFromRlp(decodeRlp(rlpMembers(block)[0]!))
  if (header.number !== height) throw malformed('a proposal for another height')
  return bftCommitHash(qbftCodec, header, qbftCodec.decode(header.extraData))
}

function readHeader(content: Uint8Array): Header {
  const items = rlpList(decodeRlp(content))
  if (items.length < minHeaderItems) throw malformed('not a header')
  rlpBytes(items[0], 32)
  return headerFromRlp(items)
}

function readSeal(content: Uint8Array, roundOf: (items: readonly RlpItem[]) => number): Claim {
  const { number: height, extraData, mixHash } = readHeader(content)
  if (!equalBytes(mixHash, bftMixHash)) throw malformed('not a header of IBFT 2.0 or QBFT')
  const round = roundOf(rlpList(decodeRlp(extraData)))
  return { type: 'bft', height, round, word: 'seal', value: toHex(keccak256(content)), commits: true }
}

function ibft2Round(items: readonly RlpItem[]): number {
  return Number(bytesToBigInt(rlpBytes(rlpList(items, 4)[3], 4)))
}

function qbftRound(items: readonly RlpItem[]): number {
  const [, , , round, seals] = rlpList(items, 5)
  rlpList(seals, 0)
  return Number(rlpScalar(round, 32))
}

function readClique(content: Uint8Array): Claim {
  const { number, parentHash, mixHash } = readHeader(content)
  if (!equalBytes(mixHash, zeroHash)) throw malformed('not a header of Clique')
  return { type: 'clique', number, parent: parentHash, hash: toHash32(keccak256(content)) }
}
