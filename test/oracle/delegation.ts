import { concatBytes } from '../../src/primitives/bytes.ts'
import { bytesToBigInt } from '../../src/primitives/u256.ts'
import { addressBytes } from './words.ts'

const prefix = Uint8Array.of(0xef, 0x01, 0x00)

/** Code of an account that runs another account's code (EIP-7702). */
export function delegationTo(address: bigint): Uint8Array {
  return concatBytes(prefix, addressBytes(address))
}

/** The account whose code runs instead, or undefined when the code is no delegation. */
export function delegateOf(code: Uint8Array): bigint | undefined {
  const isDelegation = code.length === 23 && prefix.every((byte, i) => code[i] === byte)
  return isDelegation ? bytesToBigInt(code.subarray(3)) : undefined
}
