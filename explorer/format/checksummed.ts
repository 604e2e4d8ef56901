import { getAddress, type Hex, isAddress } from 'viem'

/** An address with its checksum, as libraries want it when it is copied from the page; other text as it is. */
export function checksummed(address: string): Hex {
  return isAddress(address, { strict: false }) ? getAddress(address.toLowerCase()) : (address as Hex)
}
