import type { Branch, BranchNode, Edge } from './branch.ts'
import type { Nibbles } from './nibbles.ts'
import { attach, type Subtree, type TrieChange } from './subtree.ts'
import type { TrieReader } from './trieReader.ts'

/** The updated children of a branch, in order. */
export interface Changed {
  /** Nibbles of all updated children. */
  mask: number
  /** Nibbles of those that exist after the update. */
  present: number
  readonly edges: Edge[]
  /** The subtree of the last edge. */
  last: Subtree
}

export interface Draft<B extends BranchNode> {
  readonly path: Nibbles
  readonly before: B | undefined
  after: Branch | undefined
  mask: number
}

/** An update under way. Its functions belong to the module: V8 keeps what it compiled of them (docs/adr/0006). */
export interface Work<B extends BranchNode> {
  readonly reader: TrieReader<B>
  readonly changes: readonly TrieChange[]
  readonly drafts: Draft<B>[]
}

export function addDraft<B extends BranchNode>({ drafts }: Work<B>, path: Nibbles, before: B | undefined): Draft<B> {
  const draft: Draft<B> = { path, before, after: undefined, mask: 0 }
  drafts.push(draft)
  return draft
}

export function createChanged(): Changed {
  return { mask: 0, present: 0, edges: [], last: undefined }
}

export function setChild(changed: Changed, depth: number, nibble: number, below: Subtree): void {
  changed.mask |= 1 << nibble
  if (below === undefined) return
  changed.present |= 1 << nibble
  changed.edges.push(attach(below, depth + 1))
  changed.last = below
}
