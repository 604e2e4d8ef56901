import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Tx } from './transaction.ts'

/** What was found out about a transaction, so that nothing is computed twice however often it arrives. */
export interface TxMemo {
  /** The bytes that it was decoded from, which must not change. */
  bytes: Uint8Array | undefined
  hash: Hash32 | undefined
  /** The hash as the key of a Map. */
  key: string | undefined
  /** Null if the signature is invalid. */
  sender: Address | null | undefined
  /** The rules and the chain that it was found valid for, see `validateTx`. */
  validRules: object | undefined
  validChain: bigint | undefined
  /** Bytes of its data that are zero. */
  zeros: number | undefined
}

// One entry for all: each entry of a WeakMap costs the garbage collector more than the object it leads to.
const memos = new WeakMap<Tx, TxMemo>()

/** Returns what is known about a transaction, for reading and writing; a copy of the transaction starts again. */
export function memoOf(tx: Tx): TxMemo {
  let memo = memos.get(tx)
  if (memo === undefined) {
    memo = {
      bytes: undefined,
      hash: undefined,
      key: undefined,
      sender: undefined,
      validRules: undefined,
      validChain: undefined,
      zeros: undefined,
    }
    memos.set(tx, memo)
  }
  return memo
}
