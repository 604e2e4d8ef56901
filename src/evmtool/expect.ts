import { equalBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'

/** Thrown when a test fails; the message is printed. */
export class Mismatch extends Error {
  override name = 'Mismatch'
}

function show(value: unknown): string {
  if (value instanceof Uint8Array) return toHex(value)
  return typeof value === 'string' ? value : String(value)
}

export function expectBytes(what: string, have: Uint8Array | undefined, want: Uint8Array): void {
  if (have === undefined || !equalBytes(have, want))
    throw new Mismatch(`${what} is ${show(have)}, expected ${show(want)}`)
}

export function expectEqual<T extends bigint | number | string | boolean | undefined>(
  what: string,
  have: T,
  want: T,
): void {
  if (have !== want) throw new Mismatch(`${what} is ${show(have)}, expected ${show(want)}`)
}

/** Returns the error that `run` throws, or undefined. */
export function errorOf(run: () => void): Error | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
