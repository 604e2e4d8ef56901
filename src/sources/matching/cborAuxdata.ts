import { decode } from 'cborg'

/** Digits of the two bytes at the end that say how long the CBOR before them is. */
const lengthDigits = 4

/** The members of CBOR, undefined if the digits are none, or another value. */
function decodeMap(digits: string): Map<unknown, unknown> | undefined {
  const value = decodeAny(digits)
  return value instanceof Map ? value : undefined
}

function decodeAny(digits: string): unknown {
  if (digits.length === 0 || !/^[0-9a-f]*$/i.test(digits)) return undefined
  try {
    return decode(Buffer.from(digits, 'hex'), { useMaps: true }) as unknown
  } catch {
    return undefined
  }
}

/** Whether hexadecimal digits are one value of CBOR, with or without the length behind it. */
export function isAuxdata(digits: string): boolean {
  return decodeAny(digits.slice(0, -lengthDigits)) !== undefined || decodeAny(digits) !== undefined
}

/** The CBOR at the end of code and the length behind it, as digits; undefined if there is none. */
export function auxdataAtEnd(code: string): string | undefined {
  const length = Number.parseInt(code.slice(-lengthDigits), 16) * 2
  const start = code.length - lengthDigits - length
  if (Number.isNaN(length) || start < 0) return undefined
  return decodeAny(code.slice(start, -lengthDigits)) === undefined ? undefined : code.slice(start)
}

/** Whether auxiliary data has the hash of the metadata: without it nothing says that the sources are those that were deployed. */
export function hasMetadataHash(auxdata: string): boolean {
  const members = decodeMap(auxdata.replace(/^0x/, '').slice(0, -lengthDigits))
  return members !== undefined && ['ipfs', 'bzzr0', 'bzzr1'].some((name) => members.has(name))
}
