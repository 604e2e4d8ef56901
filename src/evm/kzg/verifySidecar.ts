import { type BlobSidecar, cellsPerBlob } from '../../types/blobSidecar.ts'
import { verifyBlobProof } from './verifyBlobProof.ts'
import { verifyCellProofs } from './verifyCellProofs.ts'

/** Returns whether the proofs of a sidecar are valid; the caller has checked that their number fits its version. */
export function verifySidecar({ version, blobs, commitments, proofs }: BlobSidecar): boolean {
  return blobs.every((blob, i) =>
    version === 0
      ? verifyBlobProof(blob, commitments[i]!, proofs[i]!)
      : verifyCellProofs(blob, commitments[i]!, proofs.slice(i * cellsPerBlob, (i + 1) * cellsPerBlob)),
  )
}
