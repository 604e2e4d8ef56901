import { keyOf, zeroAddress } from '../../primitives/bytes.ts'
import { bigIntToBytes, bytesToBigInt } from '../../primitives/u256.ts'

// Keys are put together as text of one code unit per byte (`keyOf`): to join and compare text is faster than to copy bytes.

export const addressLength = 20
export const tokenLength = addressLength + 1
export const zeroHolder = keyOf(zeroAddress)

const maxTransfers = 2 ** 47
/** Longer than any key here. */
const maxKey = 200

/** A number as text that falls as the number rises. */
function fallingText(value: bigint): string {
  const bytes = bigIntToBytes(value)
  const out = new Uint8Array(1 + bytes.length)
  out[0] = 0xff - bytes.length
  for (let i = 0; i < bytes.length; i++) out[1 + i] = 0xff - bytes[i]!
  return keyOf(out)
}

/** Key of `tokenHolders`: the largest balance comes first. */
export function holderKey(token: string, balance: bigint, holder: string): string {
  return token + fallingText(balance) + holder
}

/** Balance and holder in a key of `tokenHolders`. */
export function readHolderKey(key: Uint8Array): { readonly balance: bigint; readonly holder: Uint8Array } {
  const length = 0xff - key[tokenLength]!
  const start = tokenLength + 1
  const balance = bytesToBigInt(key.slice(start, start + length).map((byte) => 0xff - byte))
  return { balance, holder: key.slice(start + length) }
}

/** Key of `tokenRanks`: what moves most comes first. */
export function rankKey(transfers: number, token: string): string {
  return fallingText(BigInt(Math.min(transfers, maxTransfers))) + token
}

/** The token in a key of `tokenRanks`, and its transfers. */
export function readRankKey(key: Uint8Array): { readonly transfers: number; readonly token: Uint8Array } {
  const length = 0xff - key[0]!
  const transfers = Number(bytesToBigInt(key.slice(1, 1 + length).map((byte) => 0xff - byte)))
  return { transfers, token: key.slice(1 + length) }
}

/** The first key behind all that begin with these bytes. */
export function behind(prefix: Uint8Array): Uint8Array {
  const end = prefix.slice()
  for (let i = end.length - 1; i >= 0; i--) {
    if (end[i] === 0xff) continue
    end[i]!++
    return end.slice(0, i + 1)
  }
  return new Uint8Array(maxKey).fill(0xff)
}
