import { type Address, type Hash32, toAddress, toHash32 } from './bytes.ts'
import { hexDigitsOf } from './textOfBytes.ts'

/** `0x`-prefixed lower-case hex of the bytes. */
export function toHex(bytes: Uint8Array): string {
  return '0x' + hexDigitsOf(bytes)
}

const hexPattern = /^(?:0x)?((?:[0-9a-fA-F]{2})*)$/

/** Decodes an even number of hex digits with an optional `0x`; throws a RangeError for any other text. */
export function fromHex(text: string): Uint8Array {
  const digits = hexPattern.exec(text)?.[1]
  if (digits === undefined) throw new RangeError(`not hexadecimal bytes: '${shorten(text)}'`)
  return new Uint8Array(Buffer.from(digits, 'hex'))
}

export function hexToAddress(text: string): Address {
  return toAddress(fromHex(text))
}

export function hexToHash(text: string): Hash32 {
  return toHash32(fromHex(text))
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`
}
