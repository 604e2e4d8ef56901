import { concatBytes, type Hash32 } from '../primitives/bytes.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { keccak256 } from '../primitives/keccak.ts'
import type { Signature } from '../primitives/secp256k1.ts'
import { invalidParams } from './fault.ts'

/** Returns the hash that is signed for a message (EIP-191): its prefix keeps it from being a transaction. */
export function hashMessage(message: Uint8Array): Hash32 {
  return keccak256(concatBytes(Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message))
}

/** Reads a message: bytes in hexadecimal with `0x`, any other string as text, as wallets do. */
export function readMessage(json: unknown): Uint8Array {
  if (typeof json !== 'string') throw invalidParams('the message is not a string')
  return /^0x(?:[0-9a-fA-F]{2})*$/.test(json) ? fromHex(json) : new Uint8Array(Buffer.from(json))
}

/** The 65 bytes r‖s‖v of a signature, v being 27 or 28. */
export function signatureText({ rs, parity }: Signature): string {
  return toHex(concatBytes(rs, Uint8Array.of(27 + parity)))
}
