import { expectEqual } from '../../../../src/evmtool/expect.ts'
import type { Address } from '../../../../src/primitives/bytes.ts'
import { toHex } from '../../../../src/primitives/hex.ts'

/** Compares a list with one of lower-case hex, in order. */
export function expectAddresses(what: string, have: readonly Address[], want: readonly string[]): void {
  expectEqual(what, have.map(toHex).join(' '), want.join(' '))
}
