import type { Hash32 } from '../../src/primitives/bytes.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { encodeRlp, type RlpItem } from '../../src/primitives/rlp.ts'

/** Key in hexadecimal digits and value. */
type Entry = readonly [string, Uint8Array]

/** Root of a trie by the yellow paper's definition (appendix D), without regard to speed; keys of any length. */
export function naiveRoot(entries: readonly (readonly [Uint8Array, Uint8Array])[]): Hash32 {
  const hex = entries.map(([key, value]): Entry => [Buffer.from(key).toString('hex'), value])
  return keccak256(encodeRlp(structure(hex)))
}

function structure(entries: readonly Entry[]): RlpItem {
  if (entries.length === 0) return new Uint8Array(0)
  if (entries.length === 1) return [hexPrefix(entries[0]![0], true), entries[0]![1]]
  const shared = sharedPrefix(entries.map(([key]) => key))
  if (shared !== '') return [hexPrefix(shared, false), name(strip(entries, shared))]
  const children = [...'0123456789abcdef'].map((digit) => {
    const below = entries.filter(([key]) => key.startsWith(digit))
    return below.length === 0 ? new Uint8Array(0) : name(strip(below, digit))
  })
  return [...children, entries.find(([key]) => key === '')?.[1] ?? new Uint8Array(0)]
}

function name(entries: readonly Entry[]): RlpItem {
  const item = structure(entries)
  const rlp = encodeRlp(item)
  return rlp.length < 32 ? item : keccak256(rlp)
}

function strip(entries: readonly Entry[], prefix: string): Entry[] {
  return entries.map(([key, value]) => [key.slice(prefix.length), value])
}

function sharedPrefix(keys: readonly string[]): string {
  let shared = keys[0]!
  while (!keys.every((key) => key.startsWith(shared))) shared = shared.slice(0, -1)
  return shared
}

function hexPrefix(path: string, leaf: boolean): Uint8Array {
  const odd = path.length % 2 === 1
  const flag = (leaf ? 2 : 0) + (odd ? 1 : 0)
  return new Uint8Array(Buffer.from(`${flag}${odd ? '' : '0'}${path}`, 'hex'))
}
