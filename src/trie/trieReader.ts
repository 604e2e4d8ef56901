import type { BranchNode } from './branch.ts'
import type { Nibbles } from './nibbles.ts'

/** A key of the trie with its value. */
export interface Leaf {
  readonly key: Nibbles
  readonly value: Uint8Array
}

/** Where a stored trie is read from: its branches by path, its leaves from the flat tables. */
export interface TrieReader<B extends BranchNode = BranchNode> {
  /** The branch nearest to the root and its path, or undefined when there are fewer than two leaves. */
  top(): { readonly path: Nibbles; readonly branch: B } | undefined
  /** The branch at a path where there is one. */
  branch(path: Nibbles): B
  /** The first leaf whose key starts with `prefix`. */
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
