import type { Hash32 } from '../primitives/bytes.ts'
import { runSteps, type Steps } from '../primitives/steps.ts'
import { emptyTrieRoot } from '../types/account.ts'
import {
  type Branch,
  type BranchNode,
  branchRef,
  childMask,
  type Edge,
  edgeOf,
  emptyBranch,
  encodeBranch,
  pathBelow,
  withChildren,
} from './branch.ts'
import { addDraft, type Changed, createChanged, type Draft, setChild, type Work } from './drafts.ts'
import {
  compareNibbles,
  concatNibbles,
  joinNibbles,
  type Nibbles,
  noNibbles,
  sharedNibbles,
  startsWithNibbles,
} from './nibbles.ts'
import { asLeaf, attach, rootOf, type Subtree, type TrieChange } from './subtree.ts'
import type { Leaf, TrieReader } from './trieReader.ts'

/** A branch that was made, altered or removed. */
export interface BranchChange<B extends BranchNode> {
  readonly path: Nibbles
  readonly before: B | undefined
  readonly after: Branch | undefined
  /** Nibbles whose children may differ; for a branch that there is before and after. */
  readonly mask: number
}

export interface TrieUpdate<B extends BranchNode> {
  readonly root: Hash32
  /** In the order of their paths. */
  readonly branches: readonly BranchChange<B>[]
}

/**
 * Returns the trie after `changes`, which are sorted by key, each key once; all keys have one length. Nothing is written: the caller
 * stores the branches, and the leaves in its flat tables. The reader always reads the state before the changes.
 */
export function updateTrie<B extends BranchNode>(reader: TrieReader<B>, changes: readonly TrieChange[]): TrieUpdate<B> {
  return runSteps(updateTrieInSteps(reader, changes))
}

/** The same with a pause after each child of the topmost branch. */
export function* updateTrieInSteps<B extends BranchNode>(
  reader: TrieReader<B>,
  changes: readonly TrieChange[],
): Steps<TrieUpdate<B>> {
  requireOrder(changes)
  const work: Work<B> = { reader, changes, drafts: [] }
  const top = reader.top()
  const whole =
    changes.length === 0
      ? unchanged(reader, top)
      : top === undefined
        ? build(work, 0, 0, changes.length, presentLeaf(work, 0, 0, changes.length))
        : yield* updateTop(work, top.path, top.branch)
  return {
    root: whole === undefined ? emptyTrieRoot : rootOf(attach(whole, 0)),
    branches: work.drafts.filter(({ before, after }) => before !== undefined || after !== undefined),
  }
}

/** Throws if a key comes twice or too early: there is no trie of such keys, and building one would not end. */
function requireOrder(changes: readonly TrieChange[]): void {
  for (let i = 1; i < changes.length; i++)
    if (compareNibbles(changes[i - 1]!.key, changes[i]!.key) >= 0)
      throw new RangeError(`the changes of a trie must ascend, each key once: change ${i} does not`)
}

/** Applies the changes `lo … hi-1` to a subtree that is empty or has only the leaf `present`. */
function build<B extends BranchNode>(
  work: Work<B>,
  depth: number,
  lo: number,
  hi: number,
  present: Leaf | undefined,
): Subtree {
  const { changes } = work
  if (hi - lo === 1 && present === undefined) return asLeaf(changes[lo]!)
  const leaves: Leaf[] = []
  let rest = present
  for (let i = lo; i < hi; i++) {
    const change = changes[i]!
    const order = rest === undefined ? -1 : compareNibbles(change.key, rest.key)
    if (order >= 0) {
      if (order > 0) leaves.push(rest!)
      rest = undefined
    }
    const leaf = asLeaf(change)
    if (leaf !== undefined) leaves.push(leaf)
  }
  if (rest !== undefined) leaves.push(rest)
  return buildLeaves(work, leaves, 0, leaves.length, depth)
}

function buildLeaves<B extends BranchNode>(
  work: Work<B>,
  leaves: readonly Leaf[],
  lo: number,
  hi: number,
  depth: number,
): Subtree {
  if (hi - lo <= 1) return leaves[lo]
  const first = leaves[lo]!.key
  const last = leaves[hi - 1]!.key
  let at = depth
  while (first[at] === last[at]) at++
  const draft = addDraft(work, first.slice(0, at), undefined)
  const changed = createChanged()
  for (let from = lo; from < hi; ) {
    const nibble = leaves[from]!.key[at]!
    const to = endOfNibble(leaves, at, from, hi)
    setChild(changed, at, nibble, buildLeaves(work, leaves, from, to, at + 1))
    from = to
  }
  draft.after = encodeBranch(changed.present, changed.edges)
  return { path: draft.path, ref: branchRef(draft.after) }
}

/** Applies the changes `lo … hi-1` to the subtree of an edge that ends after `depth` nibbles of their keys. */
function updateEdge<B extends BranchNode>(
  work: Work<B>,
  depth: number,
  below: ReturnType<typeof pathBelow>,
  lo: number,
  hi: number,
): Subtree {
  if (below === 'nothing') return build(work, depth, lo, hi, undefined)
  if (below === 'leaf') return build(work, depth, lo, hi, presentLeaf(work, depth, lo, hi))
  return updateBelow(work, depth, below, undefined, lo, hi)
}

/** Returns the one leaf of the subtree, unless it is itself among the changes. */
function presentLeaf<B extends BranchNode>(
  { changes, reader }: Work<B>,
  depth: number,
  lo: number,
  hi: number,
): Leaf | undefined {
  for (let i = lo; i < hi; i++) if (changes[i]!.existed) return undefined
  return reader.leaf(changes[lo]!.key.slice(0, depth))
}

/** Applies the changes `lo … hi-1` to the branch that `skip` leads to. */
function updateBelow<B extends BranchNode>(
  work: Work<B>,
  depth: number,
  skip: Nibbles,
  known: B | undefined,
  lo: number,
  hi: number,
): Subtree {
  const { changes, reader } = work
  const first = changes[lo]!.key
  const shared = Math.min(sharedNibbles(first, depth, skip), sharedNibbles(changes[hi - 1]!.key, depth, skip))
  if (shared === skip.length) {
    const path = first.slice(0, depth + shared)
    return updateBranch(work, path, known ?? reader.branch(path), lo, hi)
  }
  const target = concatNibbles(first.slice(0, depth), skip)
  return splitSkip(work, target, depth + shared, known ?? reader.branch(target), lo, hi)
}

function updateBranch<B extends BranchNode>(work: Work<B>, path: Nibbles, before: B, lo: number, hi: number): Subtree {
  const { changes } = work
  const draft = addDraft(work, path, before)
  const changed = createChanged()
  for (let from = lo; from < hi; ) {
    const nibble = changes[from]!.key[path.length]!
    const to = endOfNibble(changes, path.length, from, hi)
    const below = updateEdge(work, path.length + 1, pathBelow(before.children, nibble), from, to)
    setChild(changed, path.length, nibble, below)
    from = to
  }
  return finishBranch(work, draft, before.children, changed)
}

/** `updateBelow` of the whole trie. */
function* updateTop<B extends BranchNode>(work: Work<B>, skip: Nibbles, before: B): Steps<Subtree> {
  const { changes } = work
  const isBelow = startsWithNibbles(changes[0]!.key, skip) && startsWithNibbles(changes.at(-1)!.key, skip)
  if (!isBelow) return updateBelow(work, 0, skip, before, 0, changes.length)
  const draft = addDraft(work, skip, before)
  const changed = createChanged()
  for (let from = 0; from < changes.length; ) {
    const nibble = changes[from]!.key[skip.length]!
    const to = endOfNibble(changes, skip.length, from, changes.length)
    const below = updateEdge(work, skip.length + 1, pathBelow(before.children, nibble), from, to)
    setChild(changed, skip.length, nibble, below)
    from = to
    yield
  }
  return finishBranch(work, draft, before.children, changed)
}

/** Inserts a branch at nibble `at` of the path to `target`, where new keys leave it. */
function splitSkip<B extends BranchNode>(
  work: Work<B>,
  target: Nibbles,
  at: number,
  before: B,
  lo: number,
  hi: number,
): Subtree {
  const { changes } = work
  const draft = addDraft(work, target.slice(0, at), undefined)
  const changed = createChanged()
  const onward = target[at]!
  const passOnward = (): void => {
    if ((changed.mask & (1 << onward)) === 0)
      setChild(changed, at, onward, { path: target, ref: branchRef(before.children) })
  }
  for (let from = lo; from < hi; ) {
    const nibble = changes[from]!.key[at]!
    const to = endOfNibble(changes, at, from, hi)
    if (nibble > onward) passOnward()
    const below =
      nibble === onward
        ? updateBelow(work, at + 1, target.slice(at + 1), before, from, to)
        : build(work, at + 1, from, to, undefined)
    setChild(changed, at, nibble, below)
    from = to
  }
  passOnward()
  return finishBranch(work, draft, emptyBranch, changed)
}

/** Returns the updated branch; one with fewer than two children is replaced by what remains of it. */
function finishBranch<B extends BranchNode>(
  { reader }: Work<B>,
  draft: Draft<B>,
  before: Branch,
  { mask, present, edges, last }: Changed,
): Subtree {
  const after = withChildren(before, mask, present, edges)
  const children = childMask(after)
  if (children === 0) return undefined
  if ((children & (children - 1)) === 0) {
    const only = 31 - Math.clz32(children)
    return children === present ? last : untouched(reader, joinNibbles(draft.path, only), edgeOf(after, only)!)
  }
  draft.after = after
  draft.mask = mask
  return { path: draft.path, ref: branchRef(after) }
}

function untouched<B extends BranchNode>(reader: TrieReader<B>, path: Nibbles, edge: Edge): Subtree {
  if (edge.leaf) return reader.leaf(path)
  if (edge.skip.length === 0) return { path, ref: edge.ref }
  const target = concatNibbles(path, edge.skip)
  return { path: target, ref: branchRef(reader.branch(target).children) }
}

/** Where those end that have the same nibble as the one at `from`. */
function endOfNibble(sorted: readonly { readonly key: Nibbles }[], at: number, from: number, hi: number): number {
  const nibble = sorted[from]!.key[at]!
  let to = from + 1
  while (to < hi && sorted[to]!.key[at] === nibble) to++
  return to
}

function unchanged<B extends BranchNode>(reader: TrieReader<B>, top: ReturnType<TrieReader<B>['top']>): Subtree {
  return top === undefined ? reader.leaf(noNibbles) : { path: top.path, ref: branchRef(top.branch.children) }
}
