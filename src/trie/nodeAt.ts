import { branchNodeRlp, branchRef, edgeOf } from './branch.ts'
import { joinNibbles, type Nibbles, noNibbles, startsWithNibbles } from './nibbles.ts'
import { extensionRlp, leafRlp, type NodeRef, toRef } from './nodeRlp.ts'
import type { TrieReader } from './trieReader.ts'

/**
 * Returns the RLP of the node that `path` leads to; undefined if there is none, or if it is so short that it lies in
 * its parent.
 */
export function nodeAt(reader: TrieReader, path: Nibbles): Uint8Array | undefined {
  const rlp = findNode(reader, path)
  return rlp && (rlp.length >= 32 || path.length === 0) ? rlp.slice() : undefined
}

/** Returns the reference by which a branch or an extension that ends at `path` would refer to the node there. */
export function refAt(reader: TrieReader, path: Nibbles): NodeRef | undefined {
  const rlp = findNode(reader, path)
  return rlp && toRef(rlp)
}

/** The RLP of the node at `path`, valid until the next node is encoded. */
function findNode(reader: TrieReader, path: Nibbles): Uint8Array | undefined {
  const top = reader.top()
  if (top === undefined) {
    const leaf = reader.leaf(noNibbles)
    return leaf && path.length === 0 ? leafRlp(leaf.key, 0, leaf.value) : undefined
  }
  let { path: at, branch } = top
  for (let depth = 0; ; ) {
    if (path.length === depth && at.length > depth)
      return extensionRlp(at, depth, at.length, branchRef(branch.children))
    if (!startsWithNibbles(path, at)) return undefined
    if (path.length === at.length) return branchNodeRlp(branch.children)
    const nibble = path[at.length]!
    const edge = edgeOf(branch.children, nibble)
    if (edge === undefined) return undefined
    depth = at.length + 1
    if (edge.leaf) {
      const leaf = path.length === depth ? reader.leaf(path) : undefined
      return leaf && leafRlp(leaf.key, depth, leaf.value)
    }
    at = joinNibbles(at, nibble, edge.skip)
    branch = reader.branch(at)
  }
}
