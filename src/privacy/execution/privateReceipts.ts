import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import { privateReceipts } from '../../store/schema.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import type { Log } from '../../types/log.ts'
import { type MarkerPlace, placeIn, placeKey, placeRange } from '../sending/markerPlace.ts'

/** How a private transaction ended: 0 failed, 1 succeeded, 2 invalid. */
export type PrivateStatus = 0 | 1 | 2

/** The result of a private transaction. */
export interface PrivateReceipt {
  readonly status: PrivateStatus
  readonly logs: readonly Log[]
  readonly output: Uint8Array
  readonly revertReason: Uint8Array | undefined
  /** The root of the group's state after it: only of successful transactions of flexible groups. */
  readonly root?: Hash32
}

/** Results are kept by group and block, also those of blocks that are no longer canonical. */
export function writePrivateReceipt(
  txn: Transaction,
  group: Uint8Array,
  at: MarkerPlace,
  receipt: PrivateReceipt,
): void {
  txn.put(privateReceipts, placeKey(group, at), encode(receipt))
}

/** A group that executes a block again may leave out what it has executed before. */
export function removePrivateReceipt(txn: Transaction, group: Uint8Array, at: MarkerPlace): void {
  txn.remove(privateReceipts, placeKey(group, at))
}

export function readPrivateReceipt(reader: Reader, group: Uint8Array, at: MarkerPlace): PrivateReceipt | undefined {
  const found = reader.get(privateReceipts, placeKey(group, at))
  return found && decode(found)
}

/** The results of a group in blocks from `from` to `to`, in order; also those of blocks that are no longer canonical. */
export function* privateReceiptsIn(
  reader: Reader,
  group: Uint8Array,
  from: number,
  to: number,
): Iterable<{ readonly at: MarkerPlace; readonly receipt: PrivateReceipt }> {
  for (const [key, value] of reader.range(privateReceipts, placeRange(group, from, to)))
    yield { at: placeIn(key), receipt: decode(value) }
}

function encode({ status, logs, output, revertReason, root }: PrivateReceipt): Uint8Array {
  return encodeRlp([
    scalar(status),
    logs.map(({ address, topics, data }) => [address, [...topics], data]),
    output,
    revertReason ? [revertReason] : [],
    ...(root ? [root] : []),
  ])
}

function decode(bytes: Uint8Array): PrivateReceipt {
  const [status, logs, output, revertReason, root] = rlpList(decodeRlp(bytes))
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
    ...(root && { root: rlpBytes(root, 32).slice() as Hash32 }),
  }
}
