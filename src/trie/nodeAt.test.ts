import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyIn, provenTrie, trieSpaces, trieValue } from '../../test/support/provenTrie.ts'
import { sampled } from '../../test/support/wholeRun.ts'
import { type Hash32, keyOf } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decodeNode } from './decodeNode.ts'
import { toNibbles } from './nibbles.ts'
import { nodeAt } from './nodeAt.ts'
import { proveRange } from './proveRange.ts'

const seed = 50

for (const { name, keyBytes, digits } of trieSpaces) {
  const key = keyIn(keyBytes, digits)
  const entries = fc.uniqueArray(fc.tuple(key, trieValue), { maxLength: 24, selector: ([k]) => keyOf(k) })

  test(`a node is found by its path: ${name}`, () => {
    fc.assert(
      fc.property(entries, (entries) => {
        const trie = provenTrie(entries)
        const nodes = new Map<string, Uint8Array>()
        if (entries.length > 0) collect(trie, trie.root, nodes)
        for (const [path, rlp] of nodes)
          expect(
            nodeAt(
              trie.reader,
              Uint8Array.from(path, (c) => Number.parseInt(c, 16)),
            ),
          ).toEqual(rlp)
        for (const [key] of entries)
          for (let length = 0; length <= 2 * keyBytes; length++) {
            const path = toNibbles(key).slice(0, length)
            const text = [...path].map((n) => n.toString(16)).join('')
            if (!nodes.has(text)) expect(nodeAt(trie.reader, path)).toBeUndefined()
          }
      }),
      { numRuns: sampled(40, 400), seed },
    )
  })
}

/** All nodes that are referenced by digest, by their paths: taken from proofs of every key. */
function collect(trie: ReturnType<typeof provenTrie>, root: Hash32, nodes: Map<string, Uint8Array>): void {
  const byHash = new Map<string, Uint8Array>()
  for (const [key] of trie.sorted)
    for (const node of proveRange(trie.reader, toNibbles(key), undefined)) byHash.set(keyOf(keccak256(node)), node)
  const visit = (rlp: Uint8Array, path: string): void => {
    const node = decodeNode(rlp)
    if (node.kind === 'leaf') return
    const children =
      node.kind === 'branch'
        ? node.children.map((ref, i) => [ref, path + i.toString(16)] as const)
        : [[node.child, path + [...node.path].map((n) => n.toString(16)).join('')] as const]
    for (const [ref, below] of children) {
      if (ref === undefined) continue
      if (ref.length < 32) visit(ref, below)
      else {
        nodes.set(below, byHash.get(keyOf(ref))!)
        visit(byHash.get(keyOf(ref))!, below)
      }
    }
  }
  nodes.set('', byHash.get(keyOf(root))!)
  visit(byHash.get(keyOf(root))!, '')
}
