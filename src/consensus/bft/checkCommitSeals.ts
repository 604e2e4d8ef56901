import { BlockError } from '../../execution/fault.ts'
import { type Address, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { recoverSeal } from '../recoverSeal.ts'
import { indexOfValidator } from '../voting/tally.ts'

/** Commit seals that a block needs: two thirds of the validators, rounded up. */
export function quorumOf(validators: number): number {
  return Math.ceil((2 * validators) / 3)
}

/** Throws unless a quorum of the validators, and nobody else, has sealed the block. */
export function checkCommitSeals(
  commitHash: Hash32,
  seals: readonly Uint8Array[],
  validators: readonly Address[],
): void {
  const want = quorumOf(validators.length)
  if (seals.length < want) throw new BlockError({ code: 'TOO_FEW_SEALS', have: seals.length, want })
  const seen = new Set<string>()
  for (const seal of seals) {
    const signer = recoverSeal(commitHash, seal)
    if (seen.has(keyOf(signer))) throw new BlockError({ code: 'SEAL_TWICE', signer })
    seen.add(keyOf(signer))
    if (indexOfValidator(validators, signer) < 0) throw new BlockError({ code: 'SIGNER_NOT_VALIDATOR', signer })
  }
}
