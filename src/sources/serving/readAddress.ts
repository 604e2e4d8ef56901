import { fromHex } from '../../primitives/hex.ts'
import { checksumAddress } from '../../types/checksumAddress.ts'
import { SourceError } from '../fault.ts'

/** Reads an address; lower case. */
export function readAddress(text: unknown): string {
  if (typeof text === 'string' && /^0x[0-9a-f]{40}$/i.test(text)) return text.toLowerCase()
  throw new SourceError({ code: 'invalid_parameter', reason: `Invalid address: ${String(text).slice(0, 60)}` })
}

/** An address as it is shown. */
export const showAddress = (address: string): string => checksumAddress(fromHex(address))
