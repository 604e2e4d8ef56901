import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import { toBytes, toNumber } from './json.ts'

/** A header in tests; optional fields exist from their fork on. */
export type JsonHeader = Readonly<
  Record<
    | 'bloom'
    | 'coinbase'
    | 'difficulty'
    | 'extraData'
    | 'gasLimit'
    | 'gasUsed'
    | 'hash'
    | 'mixHash'
    | 'nonce'
    | 'number'
    | 'parentHash'
    | 'receiptTrie'
    | 'stateRoot'
    | 'timestamp'
    | 'transactionsTrie'
    | 'uncleHash',
    string
  > &
    Partial<
      Record<
        | 'baseFeePerGas'
        | 'blobGasUsed'
        | 'excessBlobGas'
        | 'parentBeaconBlockRoot'
        | 'requestsHash'
        | 'withdrawalsRoot',
        string
      >
    >
>

const toHash = (text: string) => toBytes(text) as Hash32

function optional<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text)
}

export function readJsonHeader(json: JsonHeader): Header {
  return {
    parentHash: toHash(json.parentHash),
    ommersHash: toHash(json.uncleHash),
    beneficiary: toBytes(json.coinbase) as Address,
    stateRoot: toHash(json.stateRoot),
    transactionsRoot: toHash(json.transactionsTrie),
    receiptsRoot: toHash(json.receiptTrie),
    logsBloom: toBytes(json.bloom),
    difficulty: toNumber(json.difficulty),
    number: toNumber(json.number),
    gasLimit: toNumber(json.gasLimit),
    gasUsed: toNumber(json.gasUsed),
    timestamp: toNumber(json.timestamp),
    extraData: toBytes(json.extraData),
    mixHash: toHash(json.mixHash),
    nonce: toBytes(json.nonce),
    baseFee: optional(json.baseFeePerGas, toNumber),
    withdrawalsRoot: optional(json.withdrawalsRoot, toHash),
    blobGasUsed: optional(json.blobGasUsed, toNumber),
    excessBlobGas: optional(json.excessBlobGas, toNumber),
    parentBeaconRoot: optional(json.parentBeaconBlockRoot, toHash),
    requestsHash: optional(json.requestsHash, toHash),
  }
}
