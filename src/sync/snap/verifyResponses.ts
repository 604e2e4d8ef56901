import { badMessage } from '../../net/snap/fault.ts'
import type {
  AccountRange,
  AccountRangeRequest,
  RangedAccount,
  RangedSlot,
  StorageRanges,
  StorageRangesRequest,
} from '../../net/snap/messages.ts'
import { type Hash32, keyOf, zeroHash } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { verifyRange } from '../../trie/verifyRange.ts'
import { encodeAccount } from '../../types/account.ts'

// What peers say is believed if it is proven. A Fault is thrown otherwise: the peer lies.

/** A part of a trie, and whether there is more after it. */
export interface Verified<T> {
  readonly entries: readonly T[]
  readonly more: boolean
}

/** The accounts of a response; undefined if the peer does not have the state. */
export function verifyAccounts(
  { root, origin }: AccountRangeRequest,
  { accounts, proof }: AccountRange,
): Verified<RangedAccount> | undefined {
  if (accounts.length === 0 && proof.length === 0) return undefined
  const entries = accounts.map(({ hash, account }) => [hash, encodeAccount(account)] as const)
  const { more } = verifyRange({ root, origin, entries, proof: proof.length > 0 ? proof : undefined })
  return { entries: accounts, more }
}

/** The slots of the first accounts of a request, whose storage roots are `roots`; undefined if the peer does not have the state. */
export function verifySlots(
  { accounts, origin }: StorageRangesRequest,
  roots: readonly Hash32[],
  { slots, proof }: StorageRanges,
): readonly Verified<RangedSlot>[] | undefined {
  if (slots.length === 0 && proof.length === 0) return undefined
  if (slots.length > accounts.length) throw badMessage('slots of more accounts than were asked for')
  // A proof without slots says that there are none from the origin on.
  const lists = slots.length === 0 ? [[]] : slots
  return lists.map((list, i) => {
    const isProven = i === lists.length - 1 && proof.length > 0
    const entries = list.map(({ hash, data }) => [hash, data] as const)
    const from = (i === 0 ? origin : undefined) ?? zeroHash
    const { more } = verifyRange({ root: roots[i]!, origin: from, entries, proof: isProven ? proof : undefined })
    return { entries: list, more }
  })
}

/** Which of the codes that were asked for have come; undefined if the peer has none of them. */
export function verifyCodes(
  hashes: readonly Hash32[],
  codes: readonly Uint8Array[],
): ReadonlyMap<Hash32, Uint8Array> | undefined {
  if (codes.length === 0) return undefined
  const wanted = new Map(hashes.map((hash) => [keyOf(hash), hash]))
  const found = new Map<Hash32, Uint8Array>()
  for (const code of codes) {
    const hash = wanted.get(keyOf(keccak256(code)))
    if (!hash) throw badMessage('code that was not asked for')
    found.set(hash, code)
  }
  return found
}
