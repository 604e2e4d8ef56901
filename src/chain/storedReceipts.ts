import type { BlockOutcome } from '../execution/applyBlock.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../primitives/rlp.ts'
import { rlpContentStart, rlpEnd } from '../primitives/rlpWalk.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import { bloomOf } from '../types/bloom.ts'
import type { Log } from '../types/log.ts'
import { logToRlp } from '../types/receipt.ts'
import type { TxType } from '../types/transaction.ts'
import type { ReceiptInBlock, StoredReceipt } from './view.ts'

const cutOff = 'the database is damaged: the receipts of a block are cut off'

/** The receipts of an executed block, with what the chain stores beside them. */
export function storedReceiptsOf({ receipts, outcomes }: BlockOutcome, keepRevertReasons: boolean): StoredReceipt[] {
  return receipts.map(({ type, outcome, cumulativeGasUsed, logsBloom, logs }, i) => {
    const { gasUsed, halt, output } = outcomes[i]!
    const reverted = keepRevertReasons && halt === 'revert' && output.length > 0
    const revertReason = reverted ? output : undefined
    // Named one by one: to spread the receipt took 1 % of an import.
    return { type, outcome, cumulativeGasUsed, logsBloom, logs, gasUsed, revertReason }
  })
}

/** The stored form of receipts: without blooms and cumulative gas, which follow from the rest. */
export function encodeReceipts(receipts: readonly StoredReceipt[]): Uint8Array {
  return encodeRlp(receipts.map(storedToRlp))
}

function storedToRlp({ type, outcome, gasUsed, logs, revertReason }: StoredReceipt): RlpItem {
  const status = typeof outcome === 'number' ? scalar(outcome) : outcome
  const items: RlpItem[] = [scalar(type), status, scalar(gasUsed), logs.map(logToRlp)]
  if (revertReason) items.push(revertReason)
  return items
}

/** Where the logs of the stored receipt that begins at `receipt` begin: behind its type, its outcome and its gas. */
export function logsStart(receipts: Uint8Array, receipt: number): number {
  return rlpEnd(receipts, rlpEnd(receipts, rlpEnd(receipts, rlpContentStart(receipts, receipt))))
}

/** Throws unless stored receipts that were followed in place up to `at` end there. */
export function checkReceiptsEnd(at: number, end: number, receipts: Uint8Array): void {
  if (at !== end || end !== receipts.length)
    throw new Error('the database is damaged: the receipts of a block are cut off')
}

function logFromRlp(item: RlpItem): Log {
  const [address, topics, data] = rlpList(item)
  return {
    address: rlpBytes(address) as Address,
    topics: rlpList(topics).map((topic) => rlpBytes(topic) as Hash32),
    data: rlpBytes(data),
  }
}

/** Undoes `encodeReceipts`. The receipts are views into the bytes, which must not change. */
export function decodeReceipts(bytes: Uint8Array): readonly StoredReceipt[] {
  let cumulativeGasUsed = 0n
  return rlpList(decodeRlp(bytes)).map((item) => {
    const receipt = receiptFromRlp(item, cumulativeGasUsed)
    cumulativeGasUsed = receipt.cumulativeGasUsed
    return receipt
  })
}

/** One of a block's stored receipts; those before it are followed in place, none is decoded. Undefined if there are fewer. */
export function findReceipt(bytes: Uint8Array, index: number): ReceiptInBlock | undefined {
  const end = rlpEnd(bytes, 0)
  let at = rlpContentStart(bytes, 0)
  let gasBefore = 0n
  let firstLogIndex = 0
  for (let i = 0; i < index && at < end; i++) {
    gasBefore += gasAt(bytes, at)
    firstLogIndex += logCountAt(bytes, at)
    at = rlpEnd(bytes, at)
  }
  if (at === end) return undefined
  const next = rlpEnd(bytes, at)
  if (!(next <= end)) throw new Error(cutOff)
  return { receipt: receiptFromRlp(decodeRlp(bytes.slice(at, next)), gasBefore), firstLogIndex }
}

function gasAt(bytes: Uint8Array, receipt: number): bigint {
  const gas = rlpEnd(bytes, rlpEnd(bytes, rlpContentStart(bytes, receipt)))
  return bytesToBigInt(bytes.subarray(rlpContentStart(bytes, gas), rlpEnd(bytes, gas)))
}

function logCountAt(bytes: Uint8Array, receipt: number): number {
  const list = logsStart(bytes, receipt)
  const end = rlpEnd(bytes, list)
  let count = 0
  for (let at = rlpContentStart(bytes, list); at < end; at = rlpEnd(bytes, at)) count++
  return count
}

function receiptFromRlp(item: RlpItem, gasBefore: bigint): StoredReceipt {
  const [type, status, gas, logItems, reason] = rlpList(item)
  const gasUsed = rlpScalar(gas)
  const logs = rlpList(logItems).map(logFromRlp)
  const outcome = rlpBytes(status)
  return {
    type: Number(rlpScalar(type)) as TxType,
    outcome: outcome.length === 32 ? (outcome as Hash32) : outcome.length === 1 ? 1 : 0,
    cumulativeGasUsed: gasBefore + gasUsed,
    gasUsed,
    logs,
    // Computed on demand: most of what reads receipts does not need it.
    get logsBloom() {
      return bloomOf(logs)
    },
    revertReason: reason === undefined ? undefined : rlpBytes(reason),
  }
}
