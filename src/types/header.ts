import { type Address, type Hash32, zeroAddress, zeroHash } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import {
  encodeRlp,
  RlpError,
  type RlpItem,
  rlpBytes,
  rlpContentAt,
  rlpList,
  rlpScalar,
  scalar,
} from '../primitives/rlp.ts'
import { emptyTrieRoot } from './account.ts'
import { bloomLength } from './bloom.ts'

/** A block header. Each of the last six fields is present from its fork on, in this order. */
export interface Header {
  readonly parentHash: Hash32
  readonly ommersHash: Hash32
  readonly beneficiary: Address
  readonly stateRoot: Hash32
  readonly transactionsRoot: Hash32
  readonly receiptsRoot: Hash32
  readonly logsBloom: Uint8Array
  readonly difficulty: bigint
  readonly number: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly timestamp: bigint
  readonly extraData: Uint8Array
  readonly mixHash: Hash32
  /** 8 bytes. */
  readonly nonce: Uint8Array
  readonly baseFee: bigint | undefined
  readonly withdrawalsRoot: Hash32 | undefined
  readonly blobGasUsed: bigint | undefined
  readonly excessBlobGas: bigint | undefined
  readonly parentBeaconRoot: Hash32 | undefined
  readonly requestsHash: Hash32 | undefined
}

/** Digest of the empty list: the ommers hash of a block without ommers. */
export const emptyOmmersHash: Hash32 = keccak256(Uint8Array.of(0xc0))

/** Mix hash of every IBFT 2.0 and QBFT header, by which tools recognise the consensus. */
export const bftMixHash = Uint8Array.from(Buffer.from('ctical byzantine fault tolerance')) as Uint8Array as Hash32

/** A header of zeros and empty roots, to build others from. */
export const blankHeader: Header = {
  parentHash: zeroHash,
  ommersHash: emptyOmmersHash,
  beneficiary: zeroAddress,
  stateRoot: emptyTrieRoot,
  transactionsRoot: emptyTrieRoot,
  receiptsRoot: emptyTrieRoot,
  logsBloom: new Uint8Array(bloomLength),
  difficulty: 0n,
  number: 0n,
  gasLimit: 0n,
  gasUsed: 0n,
  timestamp: 0n,
  extraData: new Uint8Array(0),
  mixHash: zeroHash,
  nonce: new Uint8Array(8),
  baseFee: undefined,
  withdrawalsRoot: undefined,
  blobGasUsed: undefined,
  excessBlobGas: undefined,
  parentBeaconRoot: undefined,
  requestsHash: undefined,
}

/** Returns the RLP items of a header; an optional field is written only if all before it are present. */
export function headerToRlp(h: Header): RlpItem[] {
  const items: RlpItem[] = [
    h.parentHash,
    h.ommersHash,
    h.beneficiary,
    h.stateRoot,
    h.transactionsRoot,
    h.receiptsRoot,
    h.logsBloom,
    scalar(h.difficulty),
    scalar(h.number),
    scalar(h.gasLimit),
    scalar(h.gasUsed),
    scalar(h.timestamp),
    h.extraData,
    h.mixHash,
    h.nonce,
  ]
  if (h.baseFee === undefined) return items
  items.push(scalar(h.baseFee))
  if (h.withdrawalsRoot === undefined) return items
  items.push(h.withdrawalsRoot)
  if (h.blobGasUsed === undefined || h.excessBlobGas === undefined) return items
  items.push(scalar(h.blobGasUsed), scalar(h.excessBlobGas))
  if (h.parentBeaconRoot === undefined) return items
  items.push(h.parentBeaconRoot)
  if (h.requestsHash === undefined) return items
  items.push(h.requestsHash)
  return items
}

export function encodeHeader(header: Header): Uint8Array {
  return encodeRlp(headerToRlp(header))
}

/** Decodes a header from RLP items; byte strings are copied, so that the header does not keep a whole packet alive. */
export function headerFromRlp(item: RlpItem): Header {
  const f = rlpList(item)
  if (f.length < 15 || f.length > 21 || f.length === 18)
    throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: 15, have: f.length })
  const hash = (i: number) => rlpBytes(f[i], 32).slice() as Hash32
  return {
    parentHash: hash(0),
    ommersHash: hash(1),
    beneficiary: rlpBytes(f[2], 20).slice() as Address,
    stateRoot: hash(3),
    transactionsRoot: hash(4),
    receiptsRoot: hash(5),
    logsBloom: rlpBytes(f[6], bloomLength).slice(),
    difficulty: rlpScalar(f[7]),
    number: rlpScalar(f[8]),
    gasLimit: rlpScalar(f[9]),
    gasUsed: rlpScalar(f[10]),
    timestamp: rlpScalar(f[11]),
    extraData: rlpBytes(f[12]).slice(),
    mixHash: hash(13),
    nonce: rlpBytes(f[14], 8).slice(),
    baseFee: f.length > 15 ? rlpScalar(f[15]) : undefined,
    withdrawalsRoot: f.length > 16 ? hash(16) : undefined,
    blobGasUsed: f.length > 18 ? rlpScalar(f[17], 64) : undefined,
    excessBlobGas: f.length > 18 ? rlpScalar(f[18], 64) : undefined,
    parentBeaconRoot: f.length > 19 ? hash(19) : undefined,
    requestsHash: f.length > 20 ? hash(20) : undefined,
  }
}

/** Fields of an encoded header that are of use without the others, by their position. */
export type HeaderField = 'parentHash' | 'beneficiary' | 'extraData'
const fieldPositions: Record<HeaderField, number> = { parentHash: 0, beneficiary: 2, extraData: 12 }

/** One field of an encoded header, as a view into it. */
export function fieldOfEncodedHeader(encoded: Uint8Array, field: HeaderField): Uint8Array {
  return rlpContentAt(encoded, fieldPositions[field])
}

/** Returns the digest of the whole header. BFT consensus hashes a header without its seals instead: see consensus/bft. */
export function headerHash(header: Header): Hash32 {
  return keccak256(encodeHeader(header))
}
