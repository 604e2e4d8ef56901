import { keyOf } from '../primitives/bytes.ts'
import type { Nibbles } from './nibbles.ts'
import { prove } from './prove.ts'
import type { TrieReader } from './trieReader.ts'

/**
 * Returns the nodes on the paths to `origin` and to `last`, each once: with the entries in between they prove that
 * there are no others (`verifyRange`). Without `last` they prove that nothing follows `origin`.
 */
export function proveRange(reader: TrieReader, origin: Nibbles, last: Nibbles | undefined): Uint8Array[] {
  const proof = prove(reader, origin)
  if (last === undefined) return proof
  const known = new Set(proof.map(keyOf))
  for (const node of prove(reader, last)) if (!known.has(keyOf(node))) proof.push(node)
  return proof
}
