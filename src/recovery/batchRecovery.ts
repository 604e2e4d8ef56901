import type { Hash32 } from '../primitives/bytes.ts'
import { curveOrder } from '../primitives/secp256k1.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import { createRecoveryModule, readNumber, scalarWords, slotParts, writeNumber } from './recoveryModule.ts'

/** An ECDSA signature and what was signed; r and s are of 32 bytes each. */
export interface RecoveryInput {
  readonly digest: Hash32
  readonly rs: Uint8Array
  readonly parity: number
}

/** Recovers many public keys at a time. */
export interface BatchRecovery {
  /**
   * The signers' public keys, undefined for signatures that are invalid. Undefined as a whole if one of the signatures has to be
   * recovered otherwise. The keys are valid until the next call.
   */
  recover(inputs: readonly RecoveryInput[]): (Uint8Array | undefined)[] | undefined
}

/** Signatures that are recovered together at most. */
export const maxBatch = 128

const keyLength = 64

/** Creates the recovery of batches; undefined on machines whose multiply-add rounds twice. */
export function createBatchRecovery(): BatchRecovery | undefined {
  const wasm = createRecoveryModule()
  if (!wasm) return undefined
  const bytes = new Uint8Array(wasm.memory.buffer)
  const view = new DataView(wasm.memory.buffer)

  function writeSlot(at: number, { digest, rs, parity }: RecoveryInput): void {
    bytes.set(rs.subarray(0, 32), at + slotParts.r)
    bytes.set(rs.subarray(32), at + slotParts.s)
    bytes.set(digest, at + slotParts.digest)
    bytes[at + slotParts.parity] = parity
  }

  return {
    recover(inputs) {
      const keys: (Uint8Array | undefined)[] = new Array(inputs.length).fill(undefined)
      const valid = [...inputs.keys()].filter((i) => isValid(inputs[i]!.rs))
      const count = valid.length
      if (count === 0) return keys
      for (const [slot, i] of valid.entries()) writeSlot(wasm.slotAt(slot), inputs[i]!)
      // One inversion is enough for all.
      const product = wasm.multiplyAll(count)
      writeNumber(view, product, scalarWords, inverse(readNumber(view, product, scalarWords)))
      wasm.setScalars(count)
      // The last one has nobody beside it: it goes with itself.
      if (count % 2 === 1) bytes.copyWithin(wasm.slotAt(count), wasm.slotAt(count - 1), wasm.slotAt(count))
      if (!wasm.recover((count + 1) >> 1)) return undefined
      for (const [slot, i] of valid.entries()) {
        const at = wasm.slotAt(slot)
        const key = at + slotParts.key
        if (bytes[at + slotParts.isPoint] === 1) keys[i] = bytes.subarray(key, key + keyLength)
      }
      return keys
    },
  }
}

/** Whether r and s are numbers from 1 to the order − 1. */
function isValid(rs: Uint8Array): boolean {
  return isScalar(rs.subarray(0, 32)) && isScalar(rs.subarray(32))
}

function isScalar(bytes: Uint8Array): boolean {
  // The order begins with so many ones that the first byte shows for nearly all numbers that they are below it.
  return bytes[0]! < 0xff ? bytes.some((byte) => byte !== 0) : bytesToBigInt(bytes) < curveOrder
}

/** The inverse modulo the order. */
function inverse(k: bigint): bigint {
  let [r0, r1, s0, s1] = [curveOrder, k, 0n, 1n]
  while (r1 > 0n) {
    const quotient = r0 / r1
    ;[r0, r1, s0, s1] = [r1, r0 - quotient * r1, s1, s0 - quotient * s1]
  }
  return s0 < 0n ? s0 + curveOrder : s0
}
