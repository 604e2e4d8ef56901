import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { emptyCodeHash } from '../primitives/keccak.ts'
import { bigIntToBytes } from '../primitives/u256.ts'
import { type Account, emptyTrieRoot } from '../types/account.ts'

// One byte of flags and the nonce's length, nonce, code hash unless empty, storage root unless empty, balance.
const codeFlag = 0x80
const storageFlag = 0x40
const nonceMask = 0x0f

/** The form of an account in the flat tables; never empty. */
export function encodeStoredAccount({ nonce, balance, codeHash, storageRoot }: Account): Uint8Array {
  const nonceBytes = bigIntToBytes(nonce)
  const balanceBytes = bigIntToBytes(balance)
  const hasCode = !equalBytes(codeHash, emptyCodeHash)
  const hasStorage = !equalBytes(storageRoot, emptyTrieRoot)
  const out = new Uint8Array(1 + nonceBytes.length + (hasCode ? 32 : 0) + (hasStorage ? 32 : 0) + balanceBytes.length)
  out[0] = nonceBytes.length | (hasCode ? codeFlag : 0) | (hasStorage ? storageFlag : 0)
  let at = 1
  const put = (bytes: Uint8Array): void => {
    out.set(bytes, at)
    at += bytes.length
  }
  put(nonceBytes)
  if (hasCode) put(codeHash)
  if (hasStorage) put(storageRoot)
  put(balanceBytes)
  return out
}

/** Undoes `encodeStoredAccount`; nothing of `bytes` is kept. */
export function decodeStoredAccount(bytes: Uint8Array): Account {
  const flags = bytes[0]!
  let at = 1 + (flags & nonceMask)
  const nonce = readBigInt(bytes, 1, at)
  let codeHash = emptyCodeHash
  if (flags & codeFlag) {
    codeHash = bytes.slice(at, at + 32) as Uint8Array as Hash32
    at += 32
  }
  let storageRoot = emptyTrieRoot
  if (flags & storageFlag) {
    storageRoot = bytes.slice(at, at + 32) as Uint8Array as Hash32
    at += 32
  }
  return { nonce, balance: readBigInt(bytes, at, bytes.length), codeHash, storageRoot }
}

const word = new Uint8Array(32)
const words = new DataView(word.buffer)

// 64 bits at a time is several times faster than a detour over hexadecimal text.
function readBigInt(bytes: Uint8Array, from: number, to: number): bigint {
  const length = to - from
  if (length <= 6) {
    let n = 0
    for (let i = from; i < to; i++) n = n * 256 + bytes[i]!
    return BigInt(n)
  }
  word.fill(0)
  for (let i = 1; i <= length; i++) word[32 - i] = bytes[to - i]!
  let at = 32 - 8 * Math.ceil(length / 8)
  let n = words.getBigUint64(at)
  for (at += 8; at < 32; at += 8) n = (n << 64n) | words.getBigUint64(at)
  return n
}
