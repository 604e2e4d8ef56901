import type { Hash32 } from '../primitives/bytes.ts'
import { curve, publicKeyToAddress } from '../primitives/secp256k1.ts'
import { type BatchRecovery, createBatchRecovery, maxBatch, type RecoveryInput } from './batchRecovery.ts'

/** Bytes of one input: digest, r, s, parity. */
export const recoveryInputSize = 97
/** Bytes of one output: 1 and the address, or 21 zeros if the signature is invalid. */
export const recoveryOutputSize = 21

/** Our own arithmetic, for machines for which the library has no binary; null if this one cannot. docs/adr/0003 has the figures. */
let batches: BatchRecovery | null | undefined

/** Recovers the signer of each of the concatenated inputs; returns the outputs, concatenated. */
export function recoverBatch(inputs: Uint8Array): Uint8Array {
  const count = inputs.length / recoveryInputSize
  const senders = new Uint8Array(count * recoveryOutputSize)
  // Parts of about one size: a short rest would take as long as a longer one.
  const size = Math.ceil(count / Math.ceil(count / maxBatch))
  for (let from = 0; from < count; from += size) {
    const part = Array.from({ length: Math.min(size, count - from) }, (_, i) => inputAt(inputs, from + i))
    for (const [i, key] of recoverKeys(part).entries()) {
      if (!key) continue
      const at = (from + i) * recoveryOutputSize
      senders[at] = 1
      senders.set(publicKeyToAddress(key), at + 1)
    }
  }
  return senders
}

function inputAt(inputs: Uint8Array, i: number): RecoveryInput {
  const at = i * recoveryInputSize
  return {
    digest: inputs.subarray(at, at + 32) as Hash32,
    rs: inputs.subarray(at + 32, at + 96),
    parity: inputs[at + 96]!,
  }
}

function recoverKeys(inputs: readonly RecoveryInput[]): (Uint8Array | undefined)[] {
  if (curve.name !== 'native') {
    if (batches === undefined) batches = createBatchRecovery() ?? null
    const keys = batches?.recover(inputs)
    if (keys) return keys
  }
  return inputs.map(({ digest, rs, parity }) => curve.recover(digest, rs, parity))
}
