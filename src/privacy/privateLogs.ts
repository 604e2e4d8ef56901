import type { ChainView, PlacedLog } from '../chain/view.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { txHash } from '../types/encodeTx.ts'
import type { MarkerPlace, PrivateReceipt } from './privateReceipts.ts'

/** The logs of a group's transactions with their places; in each block they are counted from 0. */
export function logsOfReceipts(
  chain: ChainView,
  receipts: Iterable<{ readonly at: MarkerPlace; readonly receipt: PrivateReceipt }>,
): PlacedLog[] {
  const found: PlacedLog[] = []
  let block: Uint8Array | undefined
  let logIndex = 0
  for (const { at, receipt } of receipts) {
    if (!block || !equalBytes(block, at.hash)) logIndex = 0
    block = at.hash
    if (receipt.logs.length === 0) continue
    const marker = chain.body(at.hash)?.transactions[at.index]
    if (!marker) continue
    const place = { blockNumber: BigInt(at.number), blockHash: at.hash, txIndex: at.index, txHash: txHash(marker) }
    for (const log of receipt.logs) found.push({ ...log, ...place, logIndex: logIndex++ })
  }
  return found
}
