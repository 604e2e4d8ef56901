import { branchNodeRlp, branchRef, edgeOf } from './branch.ts'
import { joinNibbles, type Nibbles, noNibbles, startsWithNibbles } from './nibbles.ts'
import { extensionRlp, leafRlp } from './nodeRlp.ts'
import type { TrieReader } from './trieReader.ts'

/**
 * Returns the RLP of the node that `path` leads to; undefined if there is none, or if it is so short that it lies in
 * its parent.
 */
export function nodeAt(reader: TrieReader, path: Nibbles): Uint8Array | undefined {
  const top = reader.top()
  const isRoot = path.length === 0
  const whole = (rlp: Uint8Array): Uint8Array | undefined => (rlp.length >= 32 || isRoot ? rlp.slice() : undefined)
  if (top === undefined) {
    const leaf = isRoot ? reader.leaf(noNibbles) : undefined
    return leaf && whole(leafRlp(leaf.key, 0, leaf.value))
  }
  let { path: at, branch } = top
  for (let depth = 0; ; ) {
    if (path.length === depth && at.length > depth)
      return whole(extensionRlp(at, depth, at.length, branchRef(branch.children)))
    if (!startsWithNibbles(path, at)) return undefined
    if (path.length === at.length) return whole(branchNodeRlp(branch.children))
    const nibble = path[at.length]!
    const edge = edgeOf(branch.children, nibble)
    if (edge === undefined) return undefined
    depth = at.length + 1
    if (edge.leaf) {
      if (path.length !== depth || edge.ref.length < 32) return undefined
      const leaf = reader.leaf(path)!
      return whole(leafRlp(leaf.key, depth, leaf.value))
    }
    at = joinNibbles(at, nibble, edge.skip)
    branch = reader.branch(at)
  }
}
