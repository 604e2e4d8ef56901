import type { Hash32 } from './bytes.ts'
import { curve, publicKeyToAddress } from './secp256k1.ts'

/** Bytes of one input: digest, r, s, parity. */
export const recoveryInputSize = 97
/** Bytes of one output: 1 and the address, or 21 zeros if the signature is invalid. */
export const recoveryOutputSize = 21

/** Recovers the signer of each of the concatenated inputs; returns the outputs, concatenated. */
export function recoverBatch(inputs: Uint8Array): Uint8Array {
  const count = inputs.length / recoveryInputSize
  const senders = new Uint8Array(count * recoveryOutputSize)
  for (let i = 0; i < count; i++) {
    const input = inputs.subarray(i * recoveryInputSize, (i + 1) * recoveryInputSize)
    const publicKey = curve.recover(input.subarray(0, 32) as Hash32, input.subarray(32, 96), input[96]!)
    if (!publicKey) continue
    senders[i * recoveryOutputSize] = 1
    senders.set(publicKeyToAddress(publicKey), i * recoveryOutputSize + 1)
  }
  return senders
}
