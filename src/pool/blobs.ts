import { type Rules, since } from '../forks/rules.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { type BlobSidecar, blobHashOf, cellsPerBlob } from '../types/blobSidecar.ts'
import type { BlobTx } from '../types/transaction.ts'
import type { BlobMistake } from './fault.ts'

/** Returns the mistake in a sidecar, except for invalid proofs; undefined if there is none. */
export function findBlobMistake(tx: BlobTx, sidecar: BlobSidecar, rules: Rules): BlobMistake | undefined {
  const version = since(rules, 'osaka') ? 1 : 0
  if (sidecar.version !== version) return 'sidecar version'
  const count = tx.blobHashes.length
  const proofs = version === 0 ? count : count * cellsPerBlob
  const { blobs, commitments } = sidecar
  if (blobs.length !== count || commitments.length !== count || sidecar.proofs.length !== proofs) return 'counts'
  const fits = tx.blobHashes.every((hash, i) => equalBytes(hash, blobHashOf(commitments[i]!)))
  return fits ? undefined : 'hash'
}
