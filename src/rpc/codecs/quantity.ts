import { bytesToBigInt } from '../../primitives/u256.ts'
import { invalidParams } from '../protocol/fault.ts'
import { decodeHex } from './bytes.ts'
import type { Codec, Encoder } from './codec.ts'
import { decodeInteger } from './integer.ts'

const schema = { title: 'quantity', type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' }

/** A quantity of any size: `0x` and hexadecimal digits without leading zeros. */
export const quantity: Codec<bigint> = {
  schema,
  decode(json) {
    const value = decodeInteger(json)
    if (value < 0n) throw invalidParams()
    return value
  },
  encode: (value) => `"0x${value.toString(16)}"`,
}

/** The same for a JavaScript number. */
export const count: Encoder<number> = {
  schema,
  encode: (value) => `"0x${value.toString(16)}"`,
}

/**
 * An amount of wei. Besu reads strings as hexadecimal even without `0x`, so that `"10"` is sixteen; JSON integers are
 * decimal.
 */
export const wei: Codec<bigint> = {
  schema: { ...schema, title: 'wei' },
  decode(json) {
    if (typeof json === 'number') {
      if (!Number.isSafeInteger(json) || json < 0) throw invalidParams()
      return BigInt(json)
    }
    return bytesToBigInt(decodeHex(json, 32))
  },
  encode: quantity.encode,
}
