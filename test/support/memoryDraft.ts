import { bytesOfKey, compareBytes, type Hash32, keyOf } from '../../src/primitives/bytes.ts'
import type { RangeProgress, StateDraft } from '../../src/state/stateDraft.ts'
import { startsWithNibbles, toNibbles } from '../../src/trie/nibbles.ts'
import type { TrieReader } from '../../src/trie/trieReader.ts'
import { type Account, encodeAccount } from '../../src/types/account.ts'
import { createMemoryTrie } from './memoryTrie.ts'

/** A state that is being downloaded, in maps. */
export function createMemoryDraft(): StateDraft {
  const accounts = new Map<string, Account>()
  const slots = new Map<string, Map<string, Uint8Array>>()
  const codes = new Map<string, Uint8Array>()
  const tries = new Map<string, TrieReader>()
  let progress: RangeProgress | undefined

  function leavesOf(owner: string): Map<string, Uint8Array> {
    if (owner !== '') return slots.get(owner) ?? new Map()
    return new Map([...accounts].map(([key, account]) => [key, encodeAccount(account).slice()]))
  }

  function trieOf(owner: string): TrieReader {
    const known = tries.get(owner)
    if (known) return known
    const trie = createMemoryTrie()
    trie.apply(leavesOf(owner))
    tries.set(owner, trie.reader)
    return trie.reader
  }

  function setSlots(owner: string, changes: readonly { key: Hash32; value: Uint8Array | undefined }[]): void {
    const all = slots.get(owner) ?? new Map<string, Uint8Array>()
    for (const { key, value } of changes)
      if (value) all.set(keyOf(key), value)
      else all.delete(keyOf(key))
    if (all.size > 0) slots.set(owner, all)
    else slots.delete(owner)
    tries.delete(owner)
  }

  return {
    progress: () => progress,
    saveProgress(next) {
      progress = next
    },
    putAccounts(list, next) {
      for (const { key, account } of list) {
        if (accounts.has(keyOf(key))) throw new Error('the account is there already')
        accounts.set(keyOf(key), account)
      }
      progress = next
      tries.delete('')
    },
    clearOwners(from, to, kept) {
      const keep = new Set(kept.map(keyOf))
      for (const key of [...slots.keys()]) {
        const owner = bytesOfKey(key)
        if (compareBytes(owner, from) < 0 || compareBytes(owner, to) > 0 || keep.has(key)) continue
        slots.delete(key)
        tries.delete(key)
      }
    },
    putSlots: (owner, list) => setSlots(keyOf(owner), list),
    hasCode: (hash) => codes.has(keyOf(hash)),
    putCode: (hash, code) => void codes.set(keyOf(hash), code),
    account: (key) => accounts.get(keyOf(key)),
    trie(owner) {
      const key = owner ? keyOf(owner) : ''
      // It sees what is written later.
      return {
        top: () => trieOf(key).top(),
        branch: (path) => trieOf(key).branch(path),
        leaf: (prefix) => trieOf(key).leaf(prefix),
      }
    },
    keysBelow(owner, prefix) {
      const keys = owner ? [...(slots.get(keyOf(owner))?.keys() ?? [])] : [...accounts.keys()]
      return keys.map((key) => bytesOfKey(key) as Hash32).filter((key) => startsWithNibbles(toNibbles(key), prefix))
    },
    heal(changes) {
      for (const { key, account, slots: changed } of changes) {
        const owner = keyOf(key)
        if (account) accounts.set(owner, account)
        else accounts.delete(owner)
        if (account) setSlots(owner, changed)
        else slots.delete(owner)
        tries.delete(owner)
      }
      tries.delete('')
    },
  }
}
