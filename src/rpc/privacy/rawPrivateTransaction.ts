import { PrivacyError } from '../../privacy/fault.ts'
import type { Decoder } from '../codecs/codec.ts'
import { text } from '../codecs/text.ts'

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
