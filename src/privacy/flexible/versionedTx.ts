import { decodeRlp, encodeRlp, rlpBytes, rlpList } from '../../primitives/rlp.ts'
import { decodeOrThrow, type PrivateTx, privateTxFromRlp, privateTxToRlp } from '../sending/privateTx.ts'

/** A transaction of a flexible group, and the version of the group that it is for: 32 bytes that each change of the members replaces. */
export interface VersionedTx {
  readonly tx: PrivateTx
  readonly version: Uint8Array
}

export function encodeVersionedTx({ tx, version }: VersionedTx): Uint8Array {
  return encodeRlp([privateTxToRlp(tx), version])
}

/** Throws a PrivacyError. */
export function decodeVersionedTx(bytes: Uint8Array): VersionedTx {
  return decodeOrThrow(() => {
    const [tx, version] = rlpList(decodeRlp(bytes), 2)
    return { tx: privateTxFromRlp(tx), version: rlpBytes(version, 32).slice() }
  })
}
