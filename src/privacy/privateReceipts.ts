import type { Address, Hash32 } from '../primitives/bytes.ts'
import { concatBytes } from '../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList, rlpScalar, scalar } from '../primitives/rlp.ts'
import { blockNumberLength, readBlockNumber, writeBlockNumber } from '../store/codec.ts'
import { privateReceipts } from '../store/schema.ts'
import type { Reader, Transaction } from '../store/table.ts'
import type { Log } from '../types/log.ts'

/** How a private transaction ended: 0 failed, 1 succeeded, 2 invalid. */
export type PrivateStatus = 0 | 1 | 2

/** The result of a private transaction. */
export interface PrivateReceipt {
  readonly status: PrivateStatus
  readonly logs: readonly Log[]
  readonly output: Uint8Array
  readonly revertReason: Uint8Array | undefined
}

/** Where the marker of a private transaction is. */
export interface MarkerPlace {
  readonly number: number
  readonly hash: Hash32
  readonly index: number
}

const numberAt = 32
const hashAt = numberAt + blockNumberLength
const indexAt = hashAt + 32

/** Results are kept by group and block, also those of blocks that are no longer canonical. */
function keyOf(group: Uint8Array, { number, hash, index }: MarkerPlace): Uint8Array {
  const out = new Uint8Array(indexAt + 3)
  out.set(group)
  writeBlockNumber(out, numberAt, number)
  out.set(hash, hashAt)
  out[indexAt] = index >>> 16
  out[indexAt + 1] = index >>> 8
  out[indexAt + 2] = index
  return out
}

export function writePrivateReceipt(
  txn: Transaction,
  group: Uint8Array,
  at: MarkerPlace,
  receipt: PrivateReceipt,
): void {
  txn.put(privateReceipts, keyOf(group, at), encode(receipt))
}

export function readPrivateReceipt(reader: Reader, group: Uint8Array, at: MarkerPlace): PrivateReceipt | undefined {
  const found = reader.get(privateReceipts, keyOf(group, at))
  return found && decode(found)
}

/** The results of a group in blocks from `from` to `to`, in order; also those of blocks that are no longer canonical. */
export function* privateReceiptsIn(
  reader: Reader,
  group: Uint8Array,
  from: number,
  to: number,
): Iterable<{ readonly at: MarkerPlace; readonly receipt: PrivateReceipt }> {
  const range = { from: bound(group, from), to: bound(group, to + 1) }
  for (const [key, value] of reader.range(privateReceipts, range))
    yield {
      at: {
        number: readBlockNumber(key, numberAt),
        hash: key.slice(hashAt, indexAt) as Uint8Array as Hash32,
        index: (key[indexAt]! << 16) | (key[indexAt + 1]! << 8) | key[indexAt + 2]!,
      },
      receipt: decode(value),
    }
}

function bound(group: Uint8Array, number: number): Uint8Array {
  const out = new Uint8Array(blockNumberLength)
  writeBlockNumber(out, 0, number)
  return concatBytes(group, out)
}

function encode({ status, logs, output, revertReason }: PrivateReceipt): Uint8Array {
  return encodeRlp([
    scalar(status),
    logs.map(({ address, topics, data }) => [address, [...topics], data]),
    output,
    revertReason ? [revertReason] : [],
  ])
}

function decode(bytes: Uint8Array): PrivateReceipt {
  const [status, logs, output, revertReason] = rlpList(decodeRlp(bytes), 4)
  const reason = rlpList(revertReason)[0]
  return {
    status: Number(rlpScalar(status)) as PrivateStatus,
    logs: rlpList(logs).map((item) => {
      const [address, topics, data] = rlpList(item, 3)
      return {
        address: rlpBytes(address, 20).slice() as Address,
        topics: rlpList(topics).map((topic) => rlpBytes(topic, 32).slice() as Hash32),
        data: rlpBytes(data).slice(),
      }
    }),
    output: rlpBytes(output).slice(),
    revertReason: reason && rlpBytes(reason).slice(),
  }
}
