import { keccak256 } from '../primitives/keccak.ts'

/** An address as people copy it: the case of its letters is a checksum (EIP-55), without which some libraries refuse it. */
export function checksumAddress(address: Uint8Array): string {
  const digits = Buffer.from(address).toString('hex')
  const hash = keccak256(Buffer.from(digits))
  const isHigh = (i: number) => ((hash[i >> 1]! >> (i % 2 === 0 ? 4 : 0)) & 0x0f) >= 8
  return `0x${[...digits].map((digit, i) => (isHigh(i) ? digit.toUpperCase() : digit)).join('')}`
}
