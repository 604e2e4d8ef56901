import { compareBytes, equalBytes, type Hash32, keyOf } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { computeRoot, type KeyedEntries, nibblesOf, subtreeRef, type TrieEntry } from './computeRoot.ts'
import { decodeNode, malformed, type TrieNode } from './decodeNode.ts'
import { RangeProofError } from './fault.ts'
import { compareNibbles, concatNibbles, joinNibbles, type Nibbles, noNibbles, startsWithNibbles } from './nibbles.ts'
import type { NodeRef } from './nodeRlp.ts'

// The nodes on the paths to the two ends of the range are checked from the root on, each against the digest that its parent has of it.
// What hangs between these paths is built from the entries and compared with what the nodes refer to; what hangs outside of
// them is not looked at. So nothing in the range can be left out, added or altered without a collision of Keccak.

/** Keys of a trie that follow each other, as a peer returned them. */
export interface ProvenRange {
  readonly root: Hash32
  /** Where the range starts; all keys are as long. */
  readonly origin: Uint8Array
  /** In the order of their keys. */
  readonly entries: readonly TrieEntry[]
  /** Nodes on the paths to the origin and to the last key; undefined if the entries are the whole trie. */
  readonly proof: readonly Uint8Array[] | undefined
}

/** What a proven range says of the rest of the trie. */
export interface RangeVerdict {
  /** Whether there are keys after the last one. */
  readonly more: boolean
}

/**
 * Verifies that `entries` are all that the trie has from `origin` to the last of them, or, if there are none, that it
 * has nothing from `origin` on. Throws a RangeProofError, or an RlpError for nodes that are not RLP.
 */
export function verifyRange({ root, origin, entries, proof }: ProvenRange): RangeVerdict {
  requireOrder(origin, entries)
  if (proof === undefined) {
    if (!equalBytes(computeRoot(entries), root)) throw mismatch(0)
    return { more: false }
  }
  const keys = entries.map(nibblesOf)
  const walk: Walk = {
    origin: nibblesOf([origin, origin]),
    last: keys.at(-1),
    keyed: { keys, entries },
    nodes: new Map(proof.map((rlp) => [keyOf(keccak256(rlp)), rlp])),
    used: new Set(),
    more: false,
  }
  verifyNode(walk, root, noNibbles, 0, keys.length)
  const surplus = walk.nodes.size - walk.used.size
  if (surplus > 0) throw new RangeProofError({ code: 'PROOF_SURPLUS', nodes: surplus })
  return { more: walk.more }
}

function requireOrder(origin: Uint8Array, entries: readonly TrieEntry[]): void {
  for (const [i, [key, value]] of entries.entries()) {
    const order = i === 0 ? compareBytes(origin, key) : compareBytes(entries[i - 1]![0], key)
    const isAfter = i === 0 ? order <= 0 : order < 0
    if (key.length !== origin.length || !isAfter || value.length === 0)
      throw new RangeProofError({ code: 'RANGE_NOT_SORTED', index: i })
  }
}

interface Walk {
  readonly origin: Nibbles
  /** The end of the range; undefined for that of the trie. */
  readonly last: Nibbles | undefined
  readonly keyed: KeyedEntries
  /** The proof by digests. */
  readonly nodes: ReadonlyMap<string, Uint8Array>
  readonly used: Set<string>
  more: boolean
}

/** Where the keys that start with a path are, compared with the range: on an edge if it leads to one of its ends. */
type Place = 'before' | 'edge' | 'inside' | 'after'

function placeOf({ origin, last }: Walk, path: Nibbles): Place {
  if (startsWithNibbles(origin, path)) return 'edge'
  if (compareNibbles(path, origin) < 0) return 'before'
  if (last === undefined) return 'inside'
  if (startsWithNibbles(last, path)) return 'edge'
  return compareNibbles(path, last) < 0 ? 'inside' : 'after'
}

function resolve(walk: Walk, ref: NodeRef, depth: number): TrieNode {
  if (ref.length < 32) return decodeNode(ref)
  const key = keyOf(ref)
  const rlp = walk.nodes.get(key)
  if (rlp === undefined) throw new RangeProofError({ code: 'PROOF_INCOMPLETE', depth })
  walk.used.add(key)
  return decodeNode(rlp)
}

/** Verifies the subtree below an edge of the range, whose entries are `lo … hi-1`. */
function verifyNode(walk: Walk, ref: NodeRef, path: Nibbles, lo: number, hi: number): void {
  const node = resolve(walk, ref, path.length)
  const keyLength = walk.origin.length
  if (node.kind === 'leaf') {
    const key = concatNibbles(path, node.path)
    if (key.length !== keyLength) throw malformed('a leaf at the wrong depth')
    verifyLeaf(walk, key, node.value, lo, hi)
    return
  }
  if (node.kind === 'extension') {
    const below = concatNibbles(path, node.path)
    if (below.length >= keyLength) throw malformed('an extension that is too long')
    const { keys } = walk.keyed
    const isWithin = lo === hi || (startsWithNibbles(keys[lo]!, below) && startsWithNibbles(keys[hi - 1]!, below))
    if (!isWithin) throw mismatch(path.length)
    verifyChild(walk, node.child, below, lo, hi)
    return
  }
  if (path.length >= keyLength) throw malformed('a branch at the end of a key')
  let from = lo
  for (const [nibble, child] of node.children.entries()) {
    const to = endOfNibble(walk.keyed.keys, path.length, nibble, from, hi)
    verifyChild(walk, child, joinNibbles(path, nibble), from, to)
    from = to
  }
}

function verifyLeaf(walk: Walk, key: Nibbles, value: Uint8Array, lo: number, hi: number): void {
  const { origin, last, keyed } = walk
  const isAfter = last !== undefined && compareNibbles(key, last) > 0
  if (isAfter) walk.more = true
  const isInside = !isAfter && compareNibbles(key, origin) >= 0
  if (hi - lo !== (isInside ? 1 : 0)) throw mismatch(key.length)
  if (!isInside) return
  const isSame = equalBytes(keyed.keys[lo]!, key) && equalBytes(keyed.entries[lo]![1], value)
  if (!isSame) throw mismatch(key.length)
}

function verifyChild(walk: Walk, ref: NodeRef | undefined, path: Nibbles, lo: number, hi: number): void {
  if (ref === undefined) {
    if (lo < hi) throw mismatch(path.length)
    return
  }
  switch (placeOf(walk, path)) {
    case 'edge':
      verifyNode(walk, ref, path, lo, hi)
      return
    case 'inside':
      if (lo === hi || !equalBytes(subtreeRef(walk.keyed, lo, hi, path.length), ref)) throw mismatch(path.length)
      return
    case 'after':
      walk.more = true
  }
}

function endOfNibble(keys: readonly Nibbles[], at: number, nibble: number, from: number, hi: number): number {
  let to = from
  while (to < hi && keys[to]![at] === nibble) to++
  return to
}

function mismatch(depth: number): RangeProofError {
  return new RangeProofError({ code: 'RANGE_MISMATCH', depth })
}
