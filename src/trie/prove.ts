import { branchNodeRlp, edgeOf } from './branch.ts'
import { joinNibbles, type Nibbles, noNibbles, startsWithNibbles } from './nibbles.ts'
import { extensionRlp, leafRlp, toRef } from './nodeRlp.ts'
import type { TrieReader } from './trieReader.ts'

/** RLP of the nodes from the root towards `key`, as far as they go: shows its value, or that it has none. */
export function prove(reader: TrieReader, key: Nibbles): Uint8Array[] {
  const proof: Uint8Array[] = []
  // A node shorter than a digest lies inside its parent and is not listed; the root always is.
  const add = (rlp: Uint8Array): void => {
    if (rlp.length >= 32 || proof.length === 0) proof.push(rlp.slice())
  }
  const top = reader.top()
  if (top === undefined) {
    const leaf = reader.leaf(noNibbles)
    if (leaf !== undefined) add(leafRlp(leaf.key, 0, leaf.value))
    return proof
  }
  let { path, branch } = top
  let depth = 0
  for (;;) {
    const rlp = branchNodeRlp(branch.children).slice()
    if (path.length > depth) {
      add(extensionRlp(path, depth, path.length, toRef(rlp)))
      if (!startsWithNibbles(key, path)) return proof
    }
    add(rlp)
    depth = path.length + 1
    const nibble = key[path.length]!
    const edge = edgeOf(branch.children, nibble)
    if (edge === undefined) return proof
    if (edge.leaf) {
      const leaf = reader.leaf(joinNibbles(path, nibble))!
      add(leafRlp(leaf.key, depth, leaf.value))
      return proof
    }
    path = joinNibbles(path, nibble, edge.skip)
    branch = reader.branch(path)
  }
}
