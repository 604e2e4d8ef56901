import { equalBytes, type Hash32 } from '../../src/primitives/bytes.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { decodeRlp, type RlpItem } from '../../src/primitives/rlp.ts'
import { type Nibbles, sharedNibbles, toNibbles } from '../../src/trie/nibbles.ts'
import { emptyTrieRoot } from '../../src/types/account.ts'
import { ProofError } from './proofFault.ts'

/** Returns the value that `proof` proves for `key` in the trie with that root; undefined if the key is absent. */
export function verifyProof(root: Hash32, key: Uint8Array, proof: readonly Uint8Array[]): Uint8Array | undefined {
  const path = toNibbles(key)
  let used = 0
  const finish = (value: Uint8Array | undefined): Uint8Array | undefined => {
    if (used !== proof.length) throw new ProofError({ code: 'PROOF_UNUSED_NODES', used, given: proof.length })
    return value
  }
  const malformed = (): ProofError => new ProofError({ code: 'PROOF_NODE_MALFORMED', node: used - 1 })

  function load(digest: Uint8Array): readonly RlpItem[] {
    const node = proof[used]
    if (node === undefined) throw new ProofError({ code: 'PROOF_INCOMPLETE', missing: used })
    if (!equalBytes(keccak256(node), digest)) throw new ProofError({ code: 'PROOF_NODE_MISMATCH', node: used })
    used++
    const item = decodeRlp(node)
    if (item instanceof Uint8Array) throw malformed()
    return item
  }

  if (proof.length === 0 && equalBytes(root, emptyTrieRoot)) return undefined
  let node = load(root)
  let depth = 0
  for (;;) {
    let next: RlpItem | undefined
    if (node.length === 17) {
      if (depth === path.length) return finish(nonEmpty(node[16]))
      next = node[path[depth]!]
      depth++
    } else {
      const encoded = node[0]
      if (node.length !== 2 || !(encoded instanceof Uint8Array) || encoded.length === 0) throw malformed()
      const { leaf, steps } = decodePath(encoded)
      const matches = sharedNibbles(path, depth, steps) === steps.length
      if (leaf) return finish(matches && depth + steps.length === path.length ? nonEmpty(node[1]) : undefined)
      if (!matches) return finish(undefined)
      next = node[1]
      depth += steps.length
    }
    if (next === undefined) throw malformed()
    if (!(next instanceof Uint8Array)) node = next
    else if (next.length === 0) return finish(undefined)
    else node = load(next)
  }
}

function decodePath(encoded: Uint8Array): { leaf: boolean; steps: Nibbles } {
  const all = toNibbles(encoded)
  return { leaf: all[0]! >= 2, steps: all.subarray(all[0]! & 1 ? 1 : 2) }
}

function nonEmpty(item: RlpItem | undefined): Uint8Array | undefined {
  return item instanceof Uint8Array && item.length > 0 ? item : undefined
}
