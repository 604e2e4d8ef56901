import { type Rules, since } from '../../forks/rules.ts'
import { emptyBytes, trimZeros } from '../../primitives/bytes.ts'
import { bytesToBigInt, maxU64 } from '../../primitives/u256.ts'
import { readPadded } from './readPadded.ts'

/** The lengths that a modexp input declares; they may exceed anything that can be paid for. */
export interface ModexpLengths {
  readonly base: bigint
  readonly exponent: bigint
  readonly modulus: bigint
}

export const headerLength = 96

export function readLengths(input: Uint8Array): ModexpLengths {
  const word = (i: number) => bytesToBigInt(trimZeros(readPadded(input, 32 * i, 32)))
  return { base: word(0), exponent: word(1), modulus: word(2) }
}

/** Returns the steps of square and multiply: `perByte` per exponent byte beyond 32, one per bit of the first 32 but the highest. */
function iterations(input: Uint8Array, { base, exponent }: ModexpLengths, perByte: bigint): bigint {
  const headBytes = exponent < 32n ? Number(exponent) : 32
  const headAt = headerLength + Number(base)
  const head = headAt < input.length ? trimZeros(readPadded(input, headAt, headBytes)) : emptyBytes
  const bits = head.length === 0 ? 0n : BigInt(8 * head.length + 23 - Math.clz32(head[0]!))
  const count = bits + (exponent > 32n ? perByte * (exponent - 32n) : 0n)
  return count === 0n ? 1n : count
}

function words(length: bigint): bigint {
  return (length + 7n) / 8n
}

// EIP-198
function byzantiumGas(input: Uint8Array, lengths: ModexpLengths, longest: bigint): bigint {
  const square = longest * longest
  let complexity = square
  if (longest > 1024n) complexity = square / 16n + 480n * longest - 199_680n
  else if (longest > 64n) complexity = square / 4n + 96n * longest - 3072n
  return (complexity * iterations(input, lengths, 8n)) / 20n
}

// EIP-2565
function berlinGas(input: Uint8Array, lengths: ModexpLengths, longest: bigint): bigint {
  const gas = (words(longest) ** 2n * iterations(input, lengths, 8n)) / 3n
  return gas < 200n ? 200n : gas
}

// EIP-7883; input that EIP-7823 forbids costs more than any gas limit, so that the call fails with all its gas.
function osakaGas(input: Uint8Array, lengths: ModexpLengths, longest: bigint): bigint {
  if (longest > 1024n || lengths.exponent > 1024n) return maxU64
  const complexity = longest <= 32n ? 16n : 2n * words(longest) ** 2n
  const gas = complexity * iterations(input, lengths, 16n)
  return gas < 500n ? 500n : gas
}

/** Returns the gas of a modular exponentiation, at most the largest 64-bit number. */
export function modexpGas(input: Uint8Array, rules: Rules): bigint {
  const lengths = readLengths(input)
  const longest = lengths.base > lengths.modulus ? lengths.base : lengths.modulus
  const formula = since(rules, 'osaka') ? osakaGas : since(rules, 'berlin') ? berlinGas : byzantiumGas
  const gas = formula(input, lengths, longest)
  return gas > maxU64 ? maxU64 : gas
}
