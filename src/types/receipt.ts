import type { Address, Hash32 } from '../primitives/bytes.ts'
import { cutRlp, decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../primitives/rlp.ts'
import { bloomLength } from './bloom.ts'
import { TypesError } from './fault.ts'
import type { Log } from './log.ts'
import type { TxType } from './transaction.ts'

export interface Receipt {
  readonly type: TxType
  /** 1 or 0 since Byzantium; before, the state root after the transaction. */
  readonly outcome: 0 | 1 | Hash32
  readonly cumulativeGasUsed: bigint
  readonly logsBloom: Uint8Array
  readonly logs: readonly Log[]
}

/** Returns the RLP items of a log. */
export function logToRlp({ address, topics, data }: Log): RlpItem[] {
  return [address, [...topics], data]
}

function logFromRlp(item: RlpItem): Log {
  const [address, topics, data] = rlpList(item, 3)
  return {
    address: rlpBytes(address, 20).slice() as Address,
    topics: rlpList(topics).map((topic) => rlpBytes(topic, 32).slice() as Hash32),
    data: rlpBytes(data).slice(),
  }
}

/** Encodes a list of logs; state tests check its hash. */
export function encodeLogs(logs: readonly Log[]): Uint8Array {
  return encodeRlp(logs.map(logToRlp))
}

/** Returns the RLP items of a receipt, without the type byte. */
export function receiptToRlp({ outcome, cumulativeGasUsed, logsBloom, logs }: Receipt): RlpItem[] {
  const first = typeof outcome === 'number' ? scalar(outcome) : outcome
  return [first, scalar(cumulativeGasUsed), logsBloom, logs.map(logToRlp)]
}

/** Encodes a receipt as in the receipts trie, for short-lived use (`cutBytes`). */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  if (receipt.type === 0) return cutRlp(receiptToRlp(receipt))
  const out = cutRlp(receiptToRlp(receipt), 1)
  out[0] = receipt.type
  return out
}

function outcomeFrom(bytes: Uint8Array): Receipt['outcome'] {
  if (bytes.length === 0) return 0
  if (bytes.length === 1 && bytes[0] === 1) return 1
  if (bytes.length === 32) return bytes.slice() as Hash32
  throw new TypesError({ code: 'INVALID_RECEIPT_STATUS' })
}

export function receiptFromRlp(type: number, item: RlpItem): Receipt {
  if (type > 4) throw new TypesError({ code: 'UNKNOWN_TX_TYPE', type })
  const [outcome, gas, bloom, logs] = rlpList(item, 4)
  return {
    type: type as TxType,
    outcome: outcomeFrom(rlpBytes(outcome)),
    cumulativeGasUsed: rlpScalar(gas, 64),
    logsBloom: rlpBytes(bloom, bloomLength).slice(),
    logs: rlpList(logs).map(logFromRlp),
  }
}

export function decodeReceipt(bytes: Uint8Array): Receipt {
  const first = bytes[0] ?? 0
  return first >= 0xc0 ? receiptFromRlp(0, decodeRlp(bytes)) : receiptFromRlp(first, decodeRlp(bytes.subarray(1)))
}
