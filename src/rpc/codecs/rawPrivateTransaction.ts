import { PrivacyError } from '../../privacy/fault.ts'
import type { Decoder } from './codec.ts'
import { text } from './text.ts'

/** The bytes of a signed private transaction, read when they are used: text that is not hexadecimal is not a transaction. */
export const rawPrivateTransaction: Decoder<() => Uint8Array> = {
  schema: { title: 'signed private transaction', type: 'string', pattern: '^0x([0-9a-f]{2})*$' },
  decode(json) {
    const given = text.decode(json)
    return () => {
      const digits = /^(?:0x)?((?:[0-9a-fA-F]{2})*)$/.exec(given)?.[1]
      if (digits === undefined) throw new PrivacyError({ code: 'UNDECODABLE_TRANSACTION', reason: 'not hexadecimal' })
      return new Uint8Array(Buffer.from(digits, 'hex'))
    }
  },
}

/** A creation of a contract in the group of two parties. */
export const rawTransactionExample =
  '0xf8a18080832dc6c08080856001600101820fe7a08e4333cf2b98cbd99062f1e07e3f5fa1335685eff1e82f62af7351f30242019aa0202a9626168a4a08905b46beb8bd7b92c045bf64b3f3820d2f087fc5cf94bec3a0035695b4cc4b0941e60551d7a19cf30603db5bfc23e5ac43a56f57f25f75486ae1a02a8d9b56a0fe9cd94d60be4413bcb721d3a7be27ed8e28b3a6346df874ee141b8a72657374726963746564'
