import { toHex } from '../../primitives/hex.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'

/** Whose form errors of reverted calls have. */
export type RevertFormat = 'BESU' | 'GETH'

const errorSelector = '0x08c379a0'
const undecodable = 'ABI decode error'

/** The text of Solidity's `Error(string)`; undefined for anything else. */
export function reasonOf(output: Uint8Array): string | undefined {
  if (output.length < 4 || toHex(output.subarray(0, 4)) !== errorSelector) return undefined
  const args = output.subarray(4)
  const at = Number(bytesToBigInt(args.subarray(0, 32)))
  const length = Number(bytesToBigInt(args.subarray(at, at + 32)))
  if (args.length < 64 || at + 32 + length > args.length) return undecodable
  return Buffer.from(args.subarray(at + 32, at + 32 + length)).toString()
}

const panicSelector = '0x4e487b71'

/** geth's words for the codes of Solidity's `Panic(uint256)`. */
const panics: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
])

/** Why a call reverted, as geth puts it; undefined for errors that only a contract's ABI explains, and for what cannot be decoded. */
export function gethReasonOf(output: Uint8Array): string | undefined {
  if (output.length < 4 || toHex(output.subarray(0, 4)) !== panicSelector) {
    const reason = reasonOf(output)
    return reason === undecodable ? undefined : reason
  }
  if (output.length < 36) return undefined
  const code = bytesToBigInt(output.subarray(4, 36))
  return panics.get(code) ?? `unknown panic code: 0x${code.toString(16)}`
}
