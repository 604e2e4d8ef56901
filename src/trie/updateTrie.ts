import type { Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { type Branch, type BranchNode, branchRef, type Edge } from './branch.ts'
import { joinNibbles, type Nibbles, noNibbles, sharedNibbles } from './nibbles.ts'
import { extensionRlp, leafRlp, type NodeRef, toRef } from './nodeRlp.ts'
import type { Leaf, TrieReader } from './trieReader.ts'

/** What becomes of one key. A key that is removed must exist. */
export interface TrieChange {
  readonly key: Nibbles
  readonly value: Uint8Array | undefined
  /** Whether the trie has the key before the change: spares reading it back. */
  readonly existed: boolean
}

/** A branch that was made, altered or removed. */
export interface BranchChange<B extends BranchNode> {
  readonly path: Nibbles
  readonly before: B | undefined
  readonly after: Branch | undefined
}

export interface TrieUpdate<B extends BranchNode> {
  readonly root: Hash32
  /** In the order of their paths. */
  readonly branches: readonly BranchChange<B>[]
}

interface MadeBranch {
  readonly path: Nibbles
  readonly ref: NodeRef
}

/** The part of the trie below some prefix: nothing, one leaf, or a branch; no more than its top is kept. */
type Subtree = Leaf | MadeBranch | undefined

interface Draft<B extends BranchNode> {
  readonly path: Nibbles
  readonly before: B | undefined
  after: Branch | undefined
}

/**
 * The trie after `changes`, which are in the order of their keys and all of one length. Nothing is written: the caller
 * stores the branches, and the leaves in its flat tables. The reader answers from before the changes throughout.
 */
export function updateTrie<B extends BranchNode>(reader: TrieReader<B>, changes: readonly TrieChange[]): TrieUpdate<B> {
  const drafts: Draft<B>[] = []

  /** Changes `lo … hi-1`, all below `path`, applied to a trie part that has no leaf or only `present`. */
  function build(depth: number, lo: number, hi: number, present: Leaf | undefined): Subtree {
    const leaves: Leaf[] = []
    let rest = present
    for (let i = lo; i < hi; i++) {
      const { key, value } = changes[i]!
      const order = rest === undefined ? -1 : compareNibbles(key, rest.key)
      if (order >= 0) {
        if (order > 0) leaves.push(rest!)
        rest = undefined
      }
      if (value !== undefined) leaves.push({ key, value })
    }
    if (rest !== undefined) leaves.push(rest)
    return buildLeaves(leaves, 0, leaves.length, depth)
  }

  function buildLeaves(leaves: readonly Leaf[], lo: number, hi: number, depth: number): Subtree {
    if (hi - lo <= 1) return leaves[lo]
    const first = leaves[lo]!.key
    const last = leaves[hi - 1]!.key
    let at = depth
    while (first[at] === last[at]) at++
    const draft: Draft<B> = { path: first.slice(0, at), before: undefined, after: undefined }
    drafts.push(draft)
    const children: (Edge | undefined)[] = new Array(16).fill(undefined)
    for (let from = lo; from < hi; ) {
      const nibble = leaves[from]!.key[at]!
      let to = from + 1
      while (to < hi && leaves[to]!.key[at] === nibble) to++
      children[nibble] = attach(buildLeaves(leaves, from, to, at + 1), at + 1)
      from = to
    }
    draft.after = children
    return { path: draft.path, ref: branchRef(children) }
  }

  function updateEdge(path: Nibbles, edge: Edge | undefined, lo: number, hi: number): Subtree {
    if (edge === undefined) return build(path.length, lo, hi, undefined)
    if (edge.leaf) return build(path.length, lo, hi, presentLeaf(path, lo, hi))
    return updateBelow(path, edge.skip, undefined, lo, hi)
  }

  /** The one leaf below `path`, unless it is itself among the changes. */
  function presentLeaf(path: Nibbles, lo: number, hi: number): Leaf | undefined {
    for (let i = lo; i < hi; i++) if (changes[i]!.existed) return undefined
    return reader.leaf(path)
  }

  /** Applies changes below `path`, from where a branch is reached by `skip`. */
  function updateBelow(path: Nibbles, skip: Nibbles, known: B | undefined, lo: number, hi: number): Subtree {
    const depth = path.length
    const shared = Math.min(
      sharedNibbles(changes[lo]!.key, depth, skip),
      sharedNibbles(changes[hi - 1]!.key, depth, skip),
    )
    const target = skip.length === 0 ? path : concatNibbles(path, skip)
    const before = known ?? reader.branch(target)
    if (shared === skip.length) return updateBranch(target, before, lo, hi)
    return splitSkip(target, depth + shared, before, lo, hi)
  }

  function updateBranch(path: Nibbles, before: B, lo: number, hi: number): Subtree {
    const draft: Draft<B> = { path, before, after: undefined }
    drafts.push(draft)
    const children = before.children.slice()
    const updated: Subtree[] = []
    forEachNibble(path.length, lo, hi, (nibble, from, to) => {
      const below = updateEdge(joinNibbles(path, nibble), children[nibble], from, to)
      updated[nibble] = below
      children[nibble] = attach(below, path.length + 1)
    })
    return finishBranch(draft, children, updated)
  }

  /** New keys leave the way to `target` at `at`: a branch comes between. */
  function splitSkip(target: Nibbles, at: number, before: B, lo: number, hi: number): Subtree {
    const path = target.slice(0, at)
    const draft: Draft<B> = { path, before: undefined, after: undefined }
    drafts.push(draft)
    const children: (Edge | undefined)[] = new Array(16).fill(undefined)
    const updated: Subtree[] = []
    const set = (nibble: number, below: Subtree): void => {
      updated[nibble] = below
      children[nibble] = attach(below, at + 1)
    }
    const onward = target[at]!
    let passed = false
    forEachNibble(at, lo, hi, (nibble, from, to) => {
      if (nibble === onward) {
        passed = true
        set(nibble, updateBelow(target.slice(0, at + 1), target.slice(at + 1), before, from, to))
      } else set(nibble, build(at + 1, from, to, undefined))
    })
    if (!passed) set(onward, { path: target, ref: branchRef(before.children) })
    return finishBranch(draft, children, updated)
  }

  /** A branch of one child or none is no branch: what remains takes its place. */
  function finishBranch(draft: Draft<B>, children: (Edge | undefined)[], updated: readonly Subtree[]): Subtree {
    let count = 0
    let only = 0
    for (let i = 0; i < 16; i++) {
      if (children[i] === undefined) continue
      count++
      only = i
    }
    if (count === 0) return undefined
    if (count === 1) return updated[only] ?? untouched(joinNibbles(draft.path, only), children[only]!)
    draft.after = children
    return { path: draft.path, ref: branchRef(children) }
  }

  function untouched(path: Nibbles, edge: Edge): Subtree {
    if (edge.leaf) return reader.leaf(path)
    if (edge.skip.length === 0) return { path, ref: edge.ref }
    const target = concatNibbles(path, edge.skip)
    return { path: target, ref: branchRef(reader.branch(target).children) }
  }

  function forEachNibble(
    at: number,
    lo: number,
    hi: number,
    action: (nibble: number, from: number, to: number) => void,
  ): void {
    for (let from = lo; from < hi; ) {
      const nibble = changes[from]!.key[at]!
      let to = from + 1
      while (to < hi && changes[to]!.key[at] === nibble) to++
      action(nibble, from, to)
      from = to
    }
  }

  const top = reader.top()
  const whole =
    changes.length === 0
      ? unchanged(reader, top)
      : top === undefined
        ? build(0, 0, changes.length, presentLeaf(noNibbles, 0, changes.length))
        : updateBelow(noNibbles, top.path, top.branch, 0, changes.length)
  const edge = attach(whole, 0)
  return {
    root: rootOf(edge),
    branches: drafts.filter(({ before, after }) => before !== undefined || after !== undefined),
  }
}

function unchanged<B extends BranchNode>(reader: TrieReader<B>, top: ReturnType<TrieReader<B>['top']>): Subtree {
  return top === undefined ? reader.leaf(noNibbles) : { path: top.path, ref: branchRef(top.branch.children) }
}

/** The edge to a subtree from a parent that has consumed `depth` nibbles. */
function attach(below: Subtree, depth: number): Edge | undefined {
  if (below === undefined) return undefined
  if ('value' in below) return { leaf: true, skip: noNibbles, ref: toRef(leafRlp(below.key, depth, below.value)) }
  const { path, ref } = below
  if (path.length === depth) return { leaf: false, skip: noNibbles, ref }
  return { leaf: false, skip: path.slice(depth), ref: toRef(extensionRlp(path, depth, path.length, ref)) }
}

function rootOf(edge: Edge | undefined): Hash32 {
  if (edge === undefined) return emptyTrieRoot
  return edge.ref.length === 32 ? (edge.ref as Hash32) : keccak256(edge.ref)
}

function concatNibbles(a: Nibbles, b: Nibbles): Nibbles {
  const out = new Uint8Array(a.length + b.length)
  out.set(a, 0)
  out.set(b, a.length)
  return out
}

function compareNibbles(a: Nibbles, b: Nibbles): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return 0
}
