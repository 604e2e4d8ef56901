import { type Address, bytesOfKey, concatBytes, emptyBytes, keyOf } from '../../primitives/bytes.ts'
import { bytesToBigInt, toWord } from '../../primitives/u256.ts'
import type { BlockRange } from '../../store/blockRange.ts'
import { createOverlay } from '../../store/layerTransaction.ts'
import type { Reader, Table } from '../../store/table.ts'
import { tokenBalances, tokenHolders, tokenItems, tokenRanks, tokens } from '../../store/tokenTables.ts'
import type { TransferFilter } from './packedTransfers.ts'
import { TokenChanges } from './tokenChanges.ts'
import type { TokenKind } from './tokenEvents.ts'
import { tokenIndex } from './tokenIndex.ts'
import {
  addressLength,
  behind,
  holderKey,
  rankKey,
  readHolderKey,
  readRankKey,
  tokenLength,
  zeroHolder,
} from './tokenKeys.ts'
import type { HeldItem, RankedToken, TokenBalance, TokenHolder, TokenId, TokenSummary, TokenView } from './tokenView.ts'

const keyOfToken = ({ address, kind }: TokenId) => concatBytes(address, Uint8Array.of(kind))

const tokenOf = (key: Uint8Array): TokenId => ({
  address: key.slice(0, addressLength) as Address,
  kind: key[addressLength] as TokenKind,
})

const addressOf = (bytes: Uint8Array): Address => bytes.slice(0, addressLength) as Address

/** Rows whose keys begin with `prefix`, behind one of them if it is given. */
function rowsOf<V>(
  reader: Reader,
  table: Table<Uint8Array, V>,
  prefix: Uint8Array,
  after: Uint8Array | undefined,
): Iterable<readonly [Uint8Array, V]> {
  const from = after ? concatBytes(after, Uint8Array.of(0)) : prefix
  return reader.range(table, prefix.length > 0 ? { from, to: behind(prefix) } : { from })
}

class StoredTokenView implements TokenView {
  private readonly reader: Reader

  constructor(reader: Reader) {
    this.reader = reader
  }

  get range(): BlockRange | undefined {
    return tokenIndex.readRange(this.reader)
  }

  /** The rows as they will be when the blocks that wait are merged, where these have what is wanted. */
  private rows(filter?: TransferFilter, countsAlone = false): Reader {
    const overlay = createOverlay(this.reader)
    const changes = new TokenChanges(overlay, 1, { ...filter, countsAlone })
    let isEmpty = true
    for (const { packed } of tokenIndex.readWaiting(this.reader, 0)) {
      if (packed.length === 0) continue
      changes.add(packed)
      isEmpty = false
    }
    if (isEmpty) return this.reader
    changes.write()
    return overlay
  }

  summaries(address: Address): readonly TokenSummary[] {
    const rows = this.rows({ token: address })
    return Array.from(rowsOf(rows, tokens, address, undefined), ([key, counts]) => {
      const minted = rows.get(tokenBalances, concatBytes(bytesOfKey(zeroHolder), key)) ?? 0n
      return { ...tokenOf(key), ...counts, supply: -minted }
    })
  }

  *ranked(after?: RankedToken): Iterable<RankedToken> {
    const behindKey = after && bytesOfKey(rankKey(after.transfers, keyOf(keyOfToken(after))))
    for (const [key] of rowsOf(this.rows(undefined, true), tokenRanks, emptyBytes, behindKey)) {
      const { transfers, token } = readRankKey(key)
      yield { ...tokenOf(token), transfers }
    }
  }

  *holders(token: TokenId, after?: TokenHolder): Iterable<TokenHolder> {
    const prefix = keyOfToken(token)
    const behindKey = after && bytesOfKey(holderKey(keyOf(prefix), after.balance, keyOf(after.holder)))
    for (const [key] of rowsOf(this.rows({ token: token.address }), tokenHolders, prefix, behindKey)) {
      const { balance, holder } = readHolderKey(key)
      yield { holder: addressOf(holder), balance }
    }
  }

  *balances(account: Address, after?: TokenId): Iterable<TokenBalance> {
    const behindKey = after && concatBytes(account, keyOfToken(after))
    for (const [key, balance] of rowsOf(this.rows({ account }), tokenBalances, account, behindKey))
      yield { ...tokenOf(key.subarray(addressLength)), balance }
  }

  *items(account: Address, token: TokenId, after?: bigint): Iterable<HeldItem> {
    const prefix = concatBytes(account, keyOfToken(token))
    const behindKey = after === undefined ? undefined : concatBytes(prefix, toWord(after))
    const rows = this.rows({ account, token: token.address })
    for (const [key, amount] of rowsOf(rows, tokenItems, prefix, behindKey))
      yield { item: bytesToBigInt(key.slice(addressLength + tokenLength)), amount }
  }
}

/** Answers about tokens from the tables as one reader sees them. */
export function createTokenView(reader: Reader): TokenView {
  return new StoredTokenView(reader)
}
