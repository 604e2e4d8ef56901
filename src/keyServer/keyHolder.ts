import type { NodeKey, RemoteKey, SignedKind, ToSign } from '../keys/nodeIdentity.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decide, keepSeal, sealOf } from './decide.ts'
import type { OpenRecord } from './openRecord.ts'
import { readClaim } from './readClaim.ts'

/** A key that signs nothing that contradicts what it has signed. */
export interface KeyHolder {
  readonly address: string
  readonly publicKey: string
  /**
   * The signature is given out after its record is on disk; throws a `KeyServerError` instead. Where the key is in a token that does not answer, the
   * promise is rejected; the same may be asked for again.
   */
  sign(kind: SignedKind, content: Uint8Array): Uint8Array | Promise<Uint8Array>
  agree(publicKey: Uint8Array): Uint8Array | Promise<Uint8Array>
}

type Record = Pick<OpenRecord, 'read' | 'update'>

/** Tokens sign the same block differently each time, and the seal of a block of Clique is part of its hash: there must be one alone. */
async function sealOnce(key: RemoteKey, what: ToSign, record: Record): Promise<Uint8Array> {
  const hash = toHex(what.digest)
  const before = sealOf(record.read(), hash)
  if (before !== undefined) return fromHex(before)
  const seal = toHex(await key.sign(what))
  // Another server of this record may have been faster.
  record.update((now) => keepSeal(now, hash, seal))
  return fromHex(sealOf(record.read(), hash) ?? seal)
}

export function createKeyHolder(key: NodeKey, record: Record): KeyHolder {
  return {
    address: toHex(key.address),
    publicKey: toHex(key.publicKey),
    sign(kind, content) {
      const claim = readClaim(kind, content)
      if (claim.type !== 'free') record.update((before) => decide(before, claim))
      const digest = keccak256(content)
      if (key.kind === 'local') return key.sign(digest)
      const what = { kind, digest, content: () => content }
      return claim.type === 'clique' ? sealOnce(key, what, record) : key.sign(what)
    },
    agree: (publicKey) => key.agree(publicKey),
  }
}
