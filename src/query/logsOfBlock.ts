import { matchesLog } from '../chain/logs/logIndex.ts'
import type { ChainView, LogQuery, PlacedLog } from '../chain/view.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { bloomMayHold } from '../types/bloom.ts'
import { txHash } from '../types/encodeTx.ts'

/** What a log must have, wherever it stands. */
export type LogConditions = Pick<LogQuery, 'addresses' | 'topics'>

/** False when the bloom filter of a block says that nothing in it fits. */
function mayMatch(bloom: Uint8Array, { addresses, topics }: LogConditions): boolean {
  const mayHoldOne = (entries: readonly Uint8Array[]) =>
    entries.length === 0 || entries.some((entry) => bloomMayHold(bloom, entry))
  return mayHoldOne(addresses) && topics.every(mayHoldOne)
}

/** The logs of one block, canonical or not, that fit. */
export function logsOfBlock(chain: ChainView, hash: Hash32, conditions: LogConditions): PlacedLog[] {
  const hashed = chain.headerBy(hash)
  if (!hashed || !mayMatch(hashed.header.logsBloom, conditions)) return []
  const receipts = chain.receipts(hash) ?? []
  const found: PlacedLog[] = []
  let transactions: readonly Hash32[] | undefined
  let logIndex = 0
  for (const [txIndex, { logs }] of receipts.entries())
    for (const log of logs) {
      if (matchesLog(log, conditions)) {
        transactions ??= chain.body(hash)!.transactions.map(txHash)
        const { number: blockNumber } = hashed.header
        found.push({ ...log, blockNumber, blockHash: hash, txIndex, txHash: transactions[txIndex]!, logIndex })
      }
      logIndex++
    }
  return found
}
