import { bytesOfKey, compareBytes, keyOf } from '../../src/primitives/bytes.ts'
import type { BranchNode } from '../../src/trie/branch.ts'
import { packNibbles, startsWithNibbles, toNibbles } from '../../src/trie/nibbles.ts'
import type { TrieReader } from '../../src/trie/trieReader.ts'
import { type TrieUpdate, updateTrie } from '../../src/trie/updateTrie.ts'

/** A stored trie in two maps, kept as the state's tables keep it. */
export function createMemoryTrie() {
  const leaves = new Map<string, Uint8Array>()
  const branches = new Map<string, Uint8Array>()
  const byKey = <V>(map: Map<string, V>) =>
    [...map].map(([key, value]) => [bytesOfKey(key), value] as const).sort(([a], [b]) => compareBytes(a, b))
  const node = (bytes: Uint8Array): BranchNode => ({ children: bytes })

  const reader: TrieReader = {
    top() {
      const first = byKey(branches)[0]
      return first && { path: first[0], branch: node(first[1]) }
    },
    branch: (path) => node(branches.get(keyOf(path))!),
    leaf(prefix) {
      const found = byKey(leaves).find(([key]) => startsWithNibbles(toNibbles(key), prefix))
      return found && { key: toNibbles(found[0]), value: found[1] }
    },
  }

  return {
    reader,
    branches,
    entries: () => byKey(leaves),
    /** Sets the keys to their values; undefined removes. Keys that are absent anyway are not removed. */
    apply(writes: ReadonlyMap<string, Uint8Array | undefined>): TrieUpdate<BranchNode> {
      const changes = byKey(new Map(writes))
        .filter(([key, value]) => value !== undefined || leaves.has(keyOf(key)))
        .map(([key, value]) => ({ key: toNibbles(key), value, existed: leaves.has(keyOf(key)) }))
      const update = updateTrie(reader, changes)
      for (const { path, after } of update.branches) {
        if (after === undefined) branches.delete(keyOf(path))
        else branches.set(keyOf(path), after.slice())
      }
      for (const { key, value } of changes) {
        const place = keyOf(packNibbles(key))
        if (value === undefined) leaves.delete(place)
        else leaves.set(place, value)
      }
      return update
    },
  }
}
