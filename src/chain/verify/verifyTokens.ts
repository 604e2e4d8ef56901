import { randomBytes } from 'node:crypto'
import { bytesOfKey, concatBytes, keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import { checkPart, type Report } from '../../state/verify/report.ts'
import type { Reader } from '../../store/table.ts'
import {
  tokenBalances,
  tokenBlockRange,
  tokenHolders,
  tokenItems,
  tokenRanks,
  tokens,
} from '../../store/tokenTables.ts'
import { readPast } from '../takeOver/past.ts'
import { visitPacked } from '../tokens/packedTransfers.ts'
import { tokenKinds } from '../tokens/tokenEvents.ts'
import { tokenIndex } from '../tokens/tokenIndex.ts'
import { addressLength, readHolderKey, readRankKey, tokenLength, zeroHolder } from '../tokens/tokenKeys.ts'

/**
 * What the rows of a token amount to: each sum times a random number that belongs to its holder and item, added up. Two sets of rows
 * with the same total are the same set, unless chance is stronger than 64 bits; there may be more rows than fit into memory.
 */
interface Total {
  transfers: number
  balances: bigint
  items: bigint
}

class Totals {
  readonly byToken = new Map<string, Total>()
  private readonly salt = randomBytes(16)

  of(token: string): Total {
    let total = this.byToken.get(token)
    if (!total) this.byToken.set(token, (total = { transfers: 0, balances: 0n, items: 0n }))
    return total
  }

  private weigh(of: string, sum: bigint): bigint {
    const weight = bytesToBigInt(keccak256(concatBytes(this.salt, bytesOfKey(of))).subarray(0, 8))
    return weight * sum
  }

  addBalance(token: string, holder: string, sum: bigint): void {
    const total = this.of(token)
    total.balances = BigInt.asUintN(256, total.balances + this.weigh(holder, sum))
  }

  addItem(token: string, of: string, sum: bigint): void {
    const total = this.of(token)
    total.items = BigInt.asUintN(256, total.items + this.weigh(of, sum))
  }

  addTransfers(packed: Uint8Array, sign: 1n | -1n): void {
    visitPacked(packed, ({ token, kind, from, to, item, amount }) => {
      this.of(token).transfers += Number(sign)
      if (from === to) return
      this.addBalance(token, from, -sign * amount)
      this.addBalance(token, to, sign * amount)
      if (kind === tokenKinds.erc20) return
      this.addItem(token, from + item, -sign * amount)
      this.addItem(token, to + item, sign * amount)
    })
  }
}

/** Checks that the index of tokens has what its blocks call for, and nothing else. */
export function verifyTokens(reader: Reader, head: number, report: Report): void {
  checkPart(report, tokenBalances.name, () => {
    const range = tokenIndex.readRange(reader)
    if (range && (range.first > range.last + 1 || range.last > head))
      return report.fault(tokenBlockRange.name, 'the range of the index of tokens is damaged')
    verifyCounts(reader, report)
    verifyOrders(reader, report)
    // Sums of transfers outlive the blocks that had these.
    if (range && range.first < (readPast(reader)?.first ?? 0)) return
    const totals = new Totals()
    for (let number = range?.first ?? 0; range && number <= range.last; number++) {
      totals.addTransfers(tokenIndex.readPacked(reader, number), 1n)
      report.progress('index of tokens', number, range.last)
    }
    for (const { packed } of tokenIndex.readWaiting(reader, 0)) totals.addTransfers(packed, -1n)
    for (const [key, sum] of reader.range(tokenBalances, {}))
      totals.addBalance(keyOf(key.subarray(addressLength)), keyOf(key.subarray(0, addressLength)), -sum)
    for (const [key, sum] of reader.range(tokenItems, {})) {
      const item = addressLength + tokenLength
      const of = keyOf(key.subarray(0, addressLength)) + keyOf(key.subarray(item))
      totals.addItem(keyOf(key.subarray(addressLength, item)), of, -sum)
    }
    for (const [key, { transfers }] of reader.range(tokens, {})) totals.of(keyOf(key)).transfers -= transfers
    for (const [token, { transfers, balances, items }] of totals.byToken) {
      const name = `0x${Buffer.from(token, 'latin1').subarray(0, addressLength).toString('hex')}`
      if (transfers !== 0) report.fault(tokens.name, `the number of transfers of ${name} is wrong`)
      if (balances !== 0n) report.fault(tokenBalances.name, `balances of ${name} are not what its transfers add up to`)
      if (items !== 0n) report.fault(tokenItems.name, `items of ${name} are not what its transfers add up to`)
    }
  })
}

/** Checks numbers of holders against balances. */
function verifyCounts(reader: Reader, report: Report): void {
  const counted = new Map<string, { holders: number; overdrawn: number }>()
  for (const [key, sum] of reader.range(tokenBalances, {})) {
    if (sum === 0n) report.fault(tokenBalances.name, 'there is a balance of zero')
    if (keyOf(key.subarray(0, addressLength)) === zeroHolder) continue
    const token = keyOf(key.subarray(addressLength))
    const found = counted.get(token) ?? { holders: 0, overdrawn: 0 }
    if (sum > 0n) found.holders++
    else found.overdrawn++
    counted.set(token, found)
  }
  for (const [key, { holders, overdrawn }] of reader.range(tokens, {})) {
    const found = counted.get(keyOf(key)) ?? { holders: 0, overdrawn: 0 }
    counted.delete(keyOf(key))
    if (found.holders !== holders || found.overdrawn !== overdrawn)
      report.fault(tokens.name, `there are ${found.holders} holders instead of ${holders}`)
  }
  if (counted.size > 0) report.fault(tokens.name, `${counted.size} tokens with balances are missing`)
}

/** Checks that holders and tokens stand where their balances and transfers want them, each once. */
function verifyOrders(reader: Reader, report: Report): void {
  const left = { holders: 0, tokens: 0 }
  for (const [, { holders }] of reader.range(tokens, {})) {
    left.holders += holders
    left.tokens++
  }
  for (const [key] of reader.range(tokenHolders, {})) {
    const { balance, holder } = readHolderKey(key)
    left.holders--
    if (reader.get(tokenBalances, concatBytes(holder, key.subarray(0, tokenLength))) !== balance)
      report.fault(tokenHolders.name, 'a holder stands in the wrong place')
  }
  for (const [key] of reader.range(tokenRanks, {})) {
    const { transfers, token } = readRankKey(key)
    left.tokens--
    if (reader.get(tokens, token)?.transfers !== transfers)
      report.fault(tokenRanks.name, 'a token stands in the wrong place')
  }
  if (left.holders !== 0) report.fault(tokenHolders.name, `${left.holders} holders are missing`)
  if (left.tokens !== 0) report.fault(tokenRanks.name, `${left.tokens} tokens are missing`)
}
