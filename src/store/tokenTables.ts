import { bigIntToBytes, bytesToBigInt } from '../primitives/u256.ts'
import { blockRangeCodec } from './blockRange.ts'
import {
  blockNumberCodec,
  blockNumberLength,
  bytesCodec,
  type Codec,
  readBlockNumber,
  textCodec,
  writeBlockNumber,
} from './codec.ts'
import { table } from './table.ts'

/** A sum of amounts, which events of hostile tokens can bring below zero and above 256 bits. */
const sumCodec: Codec<bigint> = {
  encode(sum) {
    const magnitude = bigIntToBytes(sum < 0n ? -sum : sum)
    const out = new Uint8Array(1 + magnitude.length)
    out[0] = sum < 0n ? 1 : 0
    out.set(magnitude, 1)
    return out
  },
  decode: (bytes) => (bytes[0] === 1 ? -bytesToBigInt(bytes.subarray(1)) : bytesToBigInt(bytes.subarray(1))),
}

/** What is counted of a token. */
export interface TokenCounts {
  readonly transfers: number
  /** Accounts with a balance above zero. */
  readonly holders: number
  /** Accounts with a balance below zero: there are none unless its events are not all of the truth. */
  readonly overdrawn: number
}

const countsCodec: Codec<TokenCounts> = {
  encode({ transfers, holders, overdrawn }) {
    const out = new Uint8Array(3 * blockNumberLength)
    writeBlockNumber(out, 0, transfers)
    writeBlockNumber(out, blockNumberLength, holders)
    writeBlockNumber(out, 2 * blockNumberLength, overdrawn)
    return out
  },
  decode: (bytes) => ({
    transfers: readBlockNumber(bytes, 0),
    holders: readBlockNumber(bytes, blockNumberLength),
    overdrawn: readBlockNumber(bytes, 2 * blockNumberLength),
  }),
}

// A token is an address and the kind of its events (0: ERC-20, 1: ERC-721, 2: ERC-1155): one contract may be several.

export const tokens = table('tokens', bytesCodec, countsCodec, 'token → how many transfers and holders it has.')
export const tokenRanks = table('tokenRanks', bytesCodec, bytesCodec, 'transfers, falling ‖ token → nothing.')
export const tokenBalances = table(
  'tokenBalances',
  bytesCodec,
  sumCodec,
  'holder ‖ token → what its transfers add up to, if not zero; of the zero address, less the supply.',
)
export const tokenItems = table(
  'tokenItems',
  bytesCodec,
  sumCodec,
  'holder ‖ token ‖ item → the same of one item (ERC-721, ERC-1155).',
)
export const tokenHolders = table(
  'tokenHolders',
  bytesCodec,
  bytesCodec,
  'token ‖ balance, falling ‖ holder → nothing; balances above zero.',
)
export const tokenBlocks = table(
  'tokenBlocks',
  blockNumberCodec,
  bytesCodec,
  'block → transfers in its logs, not in the index of tokens yet; entries of the blocks up to this one.',
)
export const tokenBlockRange = table(
  'tokenBlockRange',
  textCodec,
  blockRangeCodec,
  'range → first block, last block + 1 of the index of tokens; the blocks of tokenBlocks come after.',
)

export const tokenTables = [
  tokens,
  tokenRanks,
  tokenBalances,
  tokenItems,
  tokenHolders,
  tokenBlocks,
  tokenBlockRange,
] as const
