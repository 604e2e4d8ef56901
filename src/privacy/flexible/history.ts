import type { Hash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList } from '../../primitives/rlp.ts'
import { decodeOrThrow, type PrivateTx, privateTxFromRlp, privateTxToRlp } from '../sending/privateTx.ts'

/** A transaction that a flexible group has executed, the hash of its marker, and the root of the group's state after it. */
export interface PastTx {
  readonly tx: PrivateTx
  readonly marker: Hash32
  readonly root: Hash32
}

/** All that a flexible group has executed, in order: what a new member gets. */
export type History = readonly PastTx[]

export function encodeHistory(history: History): Uint8Array {
  return encodeRlp(history.map(({ tx, marker, root }) => [privateTxToRlp(tx), [marker, root]]))
}

/** Throws a PrivacyError. */
export function decodeHistory(bytes: Uint8Array): History {
  return decodeOrThrow(() =>
    rlpList(decodeRlp(bytes)).map((item) => {
      const [tx, place] = rlpList(item, 2)
      const [marker, root] = rlpList(place, 2)
      const hash = (one: typeof marker) => rlpBytes(one, 32).slice() as Hash32
      return { tx: privateTxFromRlp(tx), marker: hash(marker), root: hash(root) }
    }),
  )
}
