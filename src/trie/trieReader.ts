import type { BranchNode } from './branch.ts'
import type { Nibbles } from './nibbles.ts'

/** A key of the trie with its value. */
export interface Leaf {
  readonly key: Nibbles
  readonly value: Uint8Array
}

/** Reads a stored trie: branches by path, leaves from the flat tables. */
export interface TrieReader<B extends BranchNode = BranchNode> {
  /** Returns the branch nearest to the root and its path; undefined if there are fewer than two leaves. */
  top(): { readonly path: Nibbles; readonly branch: B } | undefined
  /** Returns the branch at a path, which must exist. */
  branch(path: Nibbles): B
  /** Returns the first leaf whose key starts with `prefix`. */
  leaf(prefix: Nibbles): Leaf | undefined
}

/** A trie without leaves. */
export const emptyTrie: TrieReader<never> = {
  top: () => undefined,
  branch() {
    throw new TypeError('an empty trie has no branches')
  },
  leaf: () => undefined,
}
