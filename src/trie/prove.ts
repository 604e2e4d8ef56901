import { branchNodeRlp, edgeOf } from './branch.ts'
import { joinNibbles, type Nibbles, noNibbles, startsWithNibbles } from './nibbles.ts'
import { extensionRlp, leafRlp, toRef } from './nodeRlp.ts'
import type { TrieReader } from './trieReader.ts'

/** Returns the RLP of the nodes on the path from the root to `key`: proves its value, or that the key is absent. */
export function prove(reader: TrieReader, key: Nibbles): Uint8Array[] {
  const proof: Uint8Array[] = []
  // A node shorter than a digest is embedded in its parent and not listed; the root always is.
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
