import type { Cryptoki, Memory } from './loadLibrary.ts'

/** Values of an attribute: a number is written as an unsigned long, a boolean as a byte. */
export type AttributeValue = number | boolean | Uint8Array

type Addresses = Pick<Cryptoki, 'addressOf'>

/** Memory that is never null. */
type Structure = Exclude<Memory, null>

/** What a structure refers to by address, which the garbage collector cannot see, stays for as long as the structure itself. */
const referredBy = new WeakMap<Structure, readonly Structure[]>()

function structureOf(words: Iterable<bigint>, referred: readonly Structure[]): Structure {
  const memory = BigUint64Array.from(words)
  referredBy.set(memory, referred)
  return memory
}

function bytesOf(value: AttributeValue): Buffer {
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0])
  if (typeof value === 'number') return Buffer.from(BigUint64Array.of(BigInt(value)).buffer)
  return copyOf(value)
}

/** Bytes in memory that does not move. */
export function copyOf(bytes: Uint8Array): Buffer {
  const copy = Buffer.alloc(bytes.length)
  copy.set(bytes)
  return copy
}

/** An array of CK_ATTRIBUTE. */
export function attributes(
  { addressOf }: Addresses,
  values: readonly (readonly [number, AttributeValue])[],
): Structure {
  const parts = values.map(([, value]) => bytesOf(value))
  const words = values.flatMap(([type], i) => [
    BigInt(type),
    parts[i]!.length === 0 ? 0n : addressOf(parts[i]!),
    BigInt(parts[i]!.length),
  ])
  return structureOf(words, parts)
}

/** A CK_MECHANISM. */
export function mechanism({ addressOf }: Addresses, type: number, parameter?: Structure): Structure {
  if (!parameter) return structureOf([BigInt(type), 0n, 0n], [])
  return structureOf([BigInt(type), addressOf(parameter), BigInt(parameter.byteLength)], [parameter])
}

const noDerivation = 1n

/** CK_ECDH1_DERIVE_PARAMS for the secret itself, with nothing derived from it. */
export function ecdhParameters({ addressOf }: Addresses, point: Uint8Array): Structure {
  const copy = copyOf(point)
  return structureOf([noDerivation, 0n, 0n, BigInt(copy.length), addressOf(copy)], [copy])
}

/** Calls a function that writes bytes and their number; `max` is enough for any answer. */
export function readBytes(max: number, call: (bytes: Buffer, length: BigUint64Array<ArrayBuffer>) => void): Buffer {
  const bytes = Buffer.alloc(max)
  const length = BigUint64Array.of(BigInt(max))
  call(bytes, length)
  return bytes.subarray(0, Number(length[0]))
}
