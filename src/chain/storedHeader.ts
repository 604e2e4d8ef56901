import { emptyRequestsHash } from '../forks/genesisHeader.ts'
import { concatBytes, equalBytes, type Hash32, zeroAddress, zeroHash } from '../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpList, rlpScalar, scalar } from '../primitives/rlp.ts'
import { rlpContentStart, rlpEnd } from '../primitives/rlpWalk.ts'
import { bigIntToBytes, bytesToBigInt } from '../primitives/u256.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { bloomLength } from '../types/bloom.ts'
import { bftMixHash, emptyOmmersHash, headerFromRlp, headerToRlp } from '../types/header.ts'
import type { HashedHeader } from './view.ts'

/** A header as it is stored: with its hash and its total difficulty. */
export interface HeaderRecord extends HashedHeader {
  readonly totalDifficulty: bigint
}

/** What many headers have in some field; in a block without transactions it is two thirds of the header. */
const usualValues: readonly Uint8Array[] = [
  // Stored headers name a value by its place in this list.
  new Uint8Array(bloomLength),
  zeroHash,
  emptyOmmersHash,
  emptyTrieRoot,
  new Uint8Array(8),
  bftMixHash,
  emptyRequestsHash,
  zeroAddress,
]
/** Fields before the filter of logs. */
const bloomField = 6
const timeField = 11
/** The field that Prague brought. */
const requestsField = 20
/** Fields of a header are byte strings: a list in place of one can only be the name of a usual value. */
const names: readonly RlpItem[] = usualValues.map((_, i) => [scalar(i)])

function shorten(field: RlpItem): RlpItem {
  const place = usualValues.findIndex((value) => equalBytes(value, field as Uint8Array))
  return place < 0 ? field : names[place]!
}

function restore(field: RlpItem): RlpItem {
  return field instanceof Uint8Array ? field : (usualValues[Number(rlpScalar(field[0]))] ?? field)
}

/** The stored form of a header: its total difficulty, behind the length of that, and its RLP without usual values. */
export function encodeStoredHeader({ header, totalDifficulty }: HeaderRecord): Uint8Array {
  const difficulty = bigIntToBytes(totalDifficulty)
  const fields = headerToRlp(header).map(shorten)
  return concatBytes(Uint8Array.of(difficulty.length), difficulty, encodeRlp(fields))
}

/** Undoes `encodeStoredHeader`; also of headers stored before usual values had names. */
export function decodeStoredHeader(bytes: Uint8Array, hash: Hash32): HeaderRecord {
  const totalDifficulty = bytesToBigInt(bytes.subarray(1, 1 + bytes[0]!))
  return { totalDifficulty, header: headerFromRlp(fieldsOf(bytes)), hash }
}

/** The RLP of a stored header. */
export function rlpOfStoredHeader(bytes: Uint8Array): Uint8Array {
  return encodeRlp(fieldsOf(bytes))
}

/** The filter of logs in a stored header, which is followed in place: a view of the header's bytes, or a usual value. */
export function bloomOfStoredHeader(bytes: Uint8Array): Uint8Array {
  let at = rlpContentStart(bytes, 1 + bytes[0]!)
  for (let i = 0; i < bloomField; i++) at = rlpEnd(bytes, at)
  const field = bytes.subarray(rlpContentStart(bytes, at), rlpEnd(bytes, at))
  return bytes[at]! < 0xc0 ? field : (restore(decodeRlp(bytes.slice(at, rlpEnd(bytes, at)))) as Uint8Array)
}

/** The time of a block of Prague or later, in its stored header, which is followed in place; undefined of an earlier one. */
export function timeOfStoredHeader(bytes: Uint8Array): bigint | undefined {
  const list = 1 + bytes[0]!
  const end = rlpEnd(bytes, list)
  let at = rlpContentStart(bytes, list)
  let time: Uint8Array | undefined
  for (let i = 0; at < end; i++) {
    const next = rlpEnd(bytes, at)
    if (i === timeField) time = bytes.subarray(rlpContentStart(bytes, at), next)
    if (i === requestsField) return bytesToBigInt(time!)
    at = next
  }
  return undefined
}

function fieldsOf(bytes: Uint8Array): RlpItem[] {
  return rlpList(decodeRlp(bytes.subarray(1 + bytes[0]!))).map(restore)
}
