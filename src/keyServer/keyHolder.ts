import type { LocalKey, SignedKind } from '../keys/nodeIdentity.ts'
import { toHex } from '../primitives/hex.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decide } from './decide.ts'
import type { OpenRecord } from './openRecord.ts'
import { readClaim } from './readClaim.ts'

/** A key that signs nothing that contradicts what it has signed. */
export interface KeyHolder {
  readonly address: string
  readonly publicKey: string
  /** The signature is given out after its record is on disk; throws a `KeyServerError` instead. */
  sign(kind: SignedKind, content: Uint8Array): Uint8Array
  agree(publicKey: Uint8Array): Uint8Array
}

export function createKeyHolder(key: LocalKey, record: Pick<OpenRecord, 'update'>): KeyHolder {
  return {
    address: toHex(key.address),
    publicKey: toHex(key.publicKey),
    sign(kind, content) {
      const claim = readClaim(kind, content)
      if (claim.type !== 'free') record.update((before) => decide(before, claim))
      return key.sign(keccak256(content))
    },
    agree: key.agree,
  }
}
