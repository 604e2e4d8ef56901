import { type Address, concatBytes } from '../../src/primitives/bytes.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { proxyAddress, selectors } from '../../src/privacy/flexible/managementContract.ts'

/** A private transaction that a party sends. */
export interface FlexibleCall {
  readonly to?: Address
  readonly data?: Uint8Array
  /** The account that signs, by number. */
  readonly account?: bigint
}

const word = (n: number) => bigIntToFixed(BigInt(n), 32)

/** Calls of the management contract. */
export const calls = {
  add: (...keys: readonly Uint8Array[]) => ({
    to: proxyAddress,
    data: concatBytes(
      selectors.addParticipants,
      ...[word(32), word(keys.length)],
      ...keys.map((_, i) => word(32 * keys.length + 64 * i)),
      ...keys.flatMap((key) => [word(32), key]),
    ),
  }),
  remove: (key: Uint8Array) => ({
    to: proxyAddress,
    data: concatBytes(fromHex('0x1f52a8ee'), word(32), word(32), key),
  }),
  lock: { to: proxyAddress, data: fromHex('0xf83d08ba') },
  /** Creates a contract without code, whose slot 0 is 1. */
  deploy: { data: fromHex('0x600160005560006000f3') },
} as const
