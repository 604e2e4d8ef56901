import { failed } from '../config/fault.ts'
import { type Address, keyOf, padLeft, toAddress } from '../primitives/bytes.ts'
import { fromHex, toHex } from '../primitives/hex.ts'

/** Parses an address with or without `0x`; a short one is padded with zeros on the left, as in Besu. */
export function readAddress(text: string): Address {
  const digits = text.replace(/^0x/i, '')
  if (!/^[0-9a-f]*$/i.test(digits) || digits === '') throw failed(`'${text}' is not an address in hexadecimal`)
  const bytes = fromHex(digits.length % 2 ? `0${digits}` : digits)
  if (bytes.length > 20) throw failed(`Hex value is too large: expected at most 20 bytes but got ${bytes.length}`)
  return toAddress(padLeft(bytes, 20))
}

/** Throws if a validator is listed twice, which would break every quorum. */
export function refuseDuplicates(validators: readonly Address[]): void {
  const seen = new Set<string>()
  for (const validator of validators) {
    const key = keyOf(validator)
    if (seen.has(key)) throw failed(`Validator ${toHex(validator)} is listed more than once`)
    seen.add(key)
  }
}
