import type { ChainView } from '../../chain/view.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { privateExhausted } from '../../store/schema.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import { type MarkerPlace, placeIn, placeKey, placeRange } from '../sending/markerPlace.ts'
import { encodePrivateTx, type PrivateTx } from '../sending/privateTx.ts'

/** The same for each marker of a private transaction, whatever payload carries it. */
const nameOf = (group: Uint8Array, tx: PrivateTx) => keccak256(concatBytes(group, encodePrivateTx(tx)))

/**
 * Whether a private transaction has not ended within its work in a canonical block before this one. All members of a group know the
 * same of it: they execute the same blocks, and what was sent before somebody became a member is for an earlier version of the group.
 */
export function wasExhausted(
  reader: Reader,
  view: Pick<ChainView, 'isCanonical'>,
  group: Uint8Array,
  tx: PrivateTx,
  before: number,
): boolean {
  for (const [key] of reader.range(privateExhausted, placeRange(nameOf(group, tx), 0, before - 1)))
    if (view.isCanonical(placeIn(key).hash)) return true
  return false
}

/** Notes whether a private transaction has ended within its work; a group that executes a block again may come to another result. */
export function writeExhausted(
  txn: Transaction,
  group: Uint8Array,
  tx: PrivateTx,
  at: MarkerPlace,
  isExhausted: boolean,
): void {
  const key = placeKey(nameOf(group, tx), at)
  if (isExhausted) txn.put(privateExhausted, key, Uint8Array.of(1))
  else txn.remove(privateExhausted, key)
}
