import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { rlpContentStart, rlpEnd } from '../../primitives/rlpWalk.ts'
import type { Log } from '../../types/log.ts'
import { checkReceiptsEnd, logsStart } from '../storedReceipts.ts'
import type { LogConditions } from '../view.ts'

const addressLength = 20
const topicLength = 32

/** A log in the receipts of a block. */
export interface FoundLog extends Log {
  readonly txIndex: number
  readonly logIndex: number
}

/** Copies the logs that match out of a block's stored receipts, whose RLP is followed in place: nothing else of them is decoded. */
export function findLogs(receipts: Uint8Array, conditions: LogConditions): FoundLog[] {
  const found: FoundLog[] = []
  const end = rlpEnd(receipts, 0)
  let at = rlpContentStart(receipts, 0)
  let logIndex = 0
  for (let txIndex = 0; at < end; txIndex++) {
    const list = logsStart(receipts, at)
    const logsEnd = rlpEnd(receipts, list)
    for (let log = rlpContentStart(receipts, list); log < logsEnd; log = rlpEnd(receipts, log)) {
      if (matchesAt(receipts, log, conditions)) found.push(copyLog(receipts, log, txIndex, logIndex))
      logIndex++
    }
    at = rlpEnd(receipts, at)
  }
  checkReceiptsEnd(at, end, receipts)
  return found
}

/** Whether the log that begins at `log` matches; `matchesLog` says the same of a decoded one. */
function matchesAt(data: Uint8Array, log: number, { addresses, topics }: LogConditions): boolean {
  const address = rlpContentStart(data, log)
  if (addresses.length > 0 && !oneOf(data, address + 1, addressLength, addresses)) return false
  if (topics.length === 0) return true
  const list = address + 1 + addressLength
  const first = rlpContentStart(data, list)
  // Each has one byte before it, which is its length.
  if (topics.length > (rlpEnd(data, list) - first) / (1 + topicLength)) return false
  for (let i = 0; i < topics.length; i++) {
    const wanted = topics[i]!
    if (wanted.length > 0 && !oneOf(data, first + i * (1 + topicLength) + 1, topicLength, wanted)) return false
  }
  return true
}

function oneOf(data: Uint8Array, at: number, length: number, wanted: readonly Uint8Array[]): boolean {
  for (let i = 0; i < wanted.length; i++) if (isAt(data, at, length, wanted[i]!)) return true
  return false
}

/** Whether the bytes at `at` are those of `wanted`. Their ends differ more often than their beginnings, which may be zeros. */
function isAt(data: Uint8Array, at: number, length: number, wanted: Uint8Array): boolean {
  for (let i = length - 1; i >= 0; i--) if (data[at + i] !== wanted[i]) return false
  return wanted.length === length
}

function copyLog(data: Uint8Array, log: number, txIndex: number, logIndex: number): FoundLog {
  const address = rlpContentStart(data, log) + 1
  const list = address + addressLength
  const topicsEnd = rlpEnd(data, list)
  const topics: Hash32[] = []
  for (let at = rlpContentStart(data, list) + 1; at < topicsEnd; at += 1 + topicLength)
    topics.push(data.slice(at, at + topicLength) as Uint8Array as Hash32)
  return {
    address: data.slice(address, address + addressLength) as Uint8Array as Address,
    topics,
    data: data.slice(rlpContentStart(data, topicsEnd), rlpEnd(data, topicsEnd)),
    txIndex,
    logIndex,
  }
}
