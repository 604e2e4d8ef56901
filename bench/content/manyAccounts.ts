import { type Address, toAddress } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { firstTokens, firstWei } from '../rpc/token.ts'
import { mappingSlot } from '../workloads/contracts.ts'

/** An account that exists to be asked for, by its number. Nobody has its key. */
export function accountAddress(number: number): Address {
  return toAddress(keccak256(bigIntToFixed(BigInt(number), 32)).slice(12))
}

export const weiOf = (number: number): bigint => BigInt(firstWei + number)
export const tokensOf = (number: number): bigint => BigInt(firstTokens + number)

/** Where the token keeps what an address has. */
export const tokenSlot = (address: Uint8Array): string => mappingSlot(toHex(address), 0)
