import { areSealed, type OpenBlock } from '../../consensus/headerTrust.ts'
import { recoveryInputSize } from '../../recovery/recoverBatch.ts'
import type { RecoverPool } from '../../recovery/recoverPool.ts'

/** Returns those of the blocks that the seals do not make valid; other threads recover who has signed. */
export async function findBadSeals(blocks: readonly OpenBlock[], recover: RecoverPool): Promise<readonly OpenBlock[]> {
  const count = blocks.reduce((sum, { seals }) => sum + seals.length, 0)
  const inputs = new Uint8Array(count * recoveryInputSize)
  let at = 0
  for (const { digest, seals } of blocks)
    for (const seal of seals) {
      inputs.set(digest, at)
      inputs.set(seal, at + digest.length)
      at += recoveryInputSize
    }
  const signers = await recover.recover(inputs)
  let next = 0
  return blocks.filter((block) => !areSealed(block, signers.slice(next, (next += block.seals.length))))
}
