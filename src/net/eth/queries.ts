import type { Hash32 } from '../../primitives/bytes.ts'
import {
  decodeRlp,
  encodeRlp,
  encodeRlpList,
  type RlpItem,
  rlpBytes,
  rlpList,
  rlpScalar,
  scalar,
} from '../../primitives/rlp.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import { badMessage } from './fault.ts'

/** Header request: from a block on, every `skip + 1`th, upwards or downwards. */
export interface HeaderQuery {
  readonly start: Hash32 | bigint
  readonly count: number
  readonly skip: number
  readonly reverse: boolean
}

/** Maximum length of a request; usual ones are far shorter. */
const maxQueryLength = 128 * 1024
/** Larger counts are read as this. */
const max = 2 ** 31

export function headerQueryToRlp({ start, count, skip, reverse }: HeaderQuery): RlpItem {
  return [typeof start === 'bigint' ? scalar(start) : start, scalar(count), scalar(skip), scalar(reverse ? 1 : 0)]
}

function bounded(item: RlpItem | undefined): number {
  return Math.min(Number(rlpScalar(item, 64)), max)
}

function headerQueryFromRlp(item: RlpItem): HeaderQuery {
  const [start, count, skip, reverse] = rlpList(item, 4)
  const origin = rlpBytes(start)
  return {
    start: origin.length === 32 ? (origin.slice() as Hash32) : rlpScalar(start, 64),
    count: bounded(count),
    skip: bounded(skip),
    reverse: bytesToBigInt(rlpBytes(reverse)) !== 0n,
  }
}

/** A request with its id, which the response must repeat. */
export interface Query<T> {
  readonly id: bigint
  readonly wanted: T
}

function decodeQuery<T>(payload: Uint8Array, read: (item: RlpItem) => T): Query<T> {
  if (payload.length > maxQueryLength) throw badMessage(`request of ${payload.length} bytes`)
  const [id, wanted] = rlpList(decodeRlp(payload), 2)
  return { id: rlpScalar(id, 64), wanted: read(wanted!) }
}

export function decodeHeaderQuery(payload: Uint8Array): Query<HeaderQuery> {
  return decodeQuery(payload, headerQueryFromRlp)
}

/** Decodes requests by hashes. */
export function decodeHashQuery(payload: Uint8Array): Query<readonly Hash32[]> {
  return decodeQuery(payload, (item) => rlpList(item).map((hash) => rlpBytes(hash, 32).slice() as Hash32))
}

export function encodeQuery(id: number, wanted: RlpItem): Uint8Array {
  return encodeRlp([scalar(id), wanted])
}

/** Encodes a response of encoded items. */
export function encodeAnswer(id: bigint, items: readonly Uint8Array[]): Uint8Array {
  return encodeRlpList([encodeRlp(scalar(id)), encodeRlpList(items)])
}
