import { failed } from '../config/fault.ts'
import { type Address, keyOf, toAddress } from '../primitives/bytes.ts'
import { fromHex, toHex } from '../primitives/hex.ts'

/** Parses an address with or without `0x`. Besu pads a short one with zeros: a validator whose key nobody has. */
export function readAddress(text: string): Address {
  const digits = text.replace(/^0x/i, '')
  if (!/^[0-9a-f]{40}$/i.test(digits)) throw failed(`'${text}' is not an address: 40 hexadecimal digits are expected`)
  return toAddress(fromHex(digits))
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
