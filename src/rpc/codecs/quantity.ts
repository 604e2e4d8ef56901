import { bytesToBigInt } from '../../primitives/u256.ts'
import { invalidParams } from '../protocol/fault.ts'
import { decodeHex } from './bytes.ts'
import type { Codec, Encoder } from './codec.ts'
import { decodeInteger } from './integer.ts'

const schema = { title: 'quantity', type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' }

/** A number of any size: written as `0x` and hexadecimal digits without leading zeros. */
export const quantity: Codec<bigint> = {
  schema,
  decode(json) {
    const value = decodeInteger(json)
    if (value < 0n) throw invalidParams()
    return value
  },
  encode: (value) => `"0x${value.toString(16)}"`,
}

/** The same for numbers that the program itself counts. */
export const count: Encoder<number> = {
  schema,
  encode: (value) => `"0x${value.toString(16)}"`,
}

/**
 * An amount of wei. Besu reads text as hexadecimal whether or not it starts with `0x`, so that `"10"` is sixteen;
 * JSON integers are what they say.
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
