import { decodeRlp, encodeRlp, type RlpItem } from '../primitives/rlp.ts'
import { RangeProofError } from './fault.ts'
import type { Nibbles } from './nibbles.ts'
import type { NodeRef } from './nodeRlp.ts'

/** A node of a trie whose keys all have the same length: a branch has no value. */
export type TrieNode =
  | { readonly kind: 'leaf'; readonly path: Nibbles; readonly value: Uint8Array }
  | { readonly kind: 'extension'; readonly path: Nibbles; readonly child: NodeRef }
  | { readonly kind: 'branch'; readonly children: readonly (NodeRef | undefined)[] }

/** Decodes a node of a peer. Throws a RangeProofError or an RlpError if it is none. */
export function decodeNode(rlp: Uint8Array): TrieNode {
  const item = decodeRlp(rlp)
  if (!isList(item)) throw malformed('a node is a list')
  if (item.length === 17) return decodeBranch(item)
  if (item.length !== 2) throw malformed(`a list of ${item.length} items`)
  const [packed, content] = item as [RlpItem, RlpItem]
  if (isList(packed)) throw malformed('a path is a string')
  const { path, leaf } = decodeHexPrefix(packed)
  if (!leaf) {
    const child = decodeRef(content)
    if (path.length === 0 || child === undefined) throw malformed('an extension that leads nowhere')
    return { kind: 'extension', path, child }
  }
  if (isList(content) || content.length === 0) throw malformed('a leaf without a value')
  return { kind: 'leaf', path, value: content }
}

function decodeBranch(item: readonly RlpItem[]): TrieNode {
  const value = item[16]!
  if (isList(value) || value.length > 0) throw malformed('a branch with a value')
  return { kind: 'branch', children: item.slice(0, 16).map(decodeRef) }
}

function decodeRef(item: RlpItem): NodeRef | undefined {
  if (isList(item)) {
    const rlp = encodeRlp(item)
    if (rlp.length >= 32) throw malformed('a long node is embedded')
    return rlp
  }
  if (item.length === 0) return undefined
  if (item.length !== 32) throw malformed(`a reference of ${item.length} bytes`)
  return item
}

/** Undoes the hex-prefix encoding (yellow paper, appendix C). Throws if the flags or the padding are wrong. */
export function decodeHexPrefix(packed: Uint8Array): { readonly path: Nibbles; readonly leaf: boolean } {
  const first = packed[0] ?? 0xff
  const odd = (first & 0x10) !== 0
  if (first >= 0x40 || (!odd && (first & 15) !== 0)) throw malformed('the flags of a path')
  const path = new Uint8Array(2 * packed.length - (odd ? 1 : 2))
  let at = 0
  if (odd) path[at++] = first & 15
  for (let i = 1; i < packed.length; i++) {
    path[at++] = packed[i]! >>> 4
    path[at++] = packed[i]! & 15
  }
  return { path, leaf: (first & 0x20) !== 0 }
}

function isList(item: RlpItem): item is readonly RlpItem[] {
  return Array.isArray(item)
}

export function malformed(reason: string): RangeProofError {
  return new RangeProofError({ code: 'PROOF_MALFORMED', reason })
}
