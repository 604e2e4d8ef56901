import type { Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import type { Edge } from './branch.ts'
import { type Nibbles, noNibbles } from './nibbles.ts'
import { extensionRlp, leafRlp, type NodeRef, toRef } from './nodeRlp.ts'
import type { Leaf } from './trieReader.ts'

/** The new value of a key, or its removal. A key that is removed must exist. */
export interface TrieChange {
  readonly key: Nibbles
  readonly value: Uint8Array | undefined
  /** Whether the trie has the key before the change: saves reading it. */
  readonly existed: boolean
}

interface MadeBranch {
  readonly path: Nibbles
  readonly ref: NodeRef
}

/** The top of the part of the trie below a prefix: nothing, a leaf or a branch. */
export type Subtree = Leaf | MadeBranch | undefined

export function asLeaf(change: TrieChange): Leaf | undefined {
  return change.value === undefined ? undefined : (change as Leaf)
}

/** Returns the edge to a subtree from a parent whose path and nibble are `depth` nibbles long. */
export function attach(below: Exclude<Subtree, undefined>, depth: number): Edge {
  if ('value' in below) return { leaf: true, skip: noNibbles, ref: toRef(leafRlp(below.key, depth, below.value)) }
  const { path, ref } = below
  if (path.length === depth) return { leaf: false, skip: noNibbles, ref }
  return { leaf: false, skip: path.slice(depth), ref: toRef(extensionRlp(path, depth, path.length, ref)) }
}

export function rootOf({ ref }: Edge): Hash32 {
  return ref.length === 32 ? (ref as Hash32) : keccak256(ref)
}
