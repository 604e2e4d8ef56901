import { type Address, emptyBytes, type Hash32 } from '../primitives/bytes.ts'
import { fromHex, hexToAddress, hexToHash } from '../primitives/hex.ts'
import type { JsonObject } from '../primitives/json.ts'
import type { Block } from '../types/block.ts'
import type { Header } from '../types/header.ts'
import type { AccessList, Authorization, Tx } from '../types/transaction.ts'
import type { Withdrawal } from '../types/withdrawal.ts'

/** Makes the header of a block or uncle as JSON-RPC returns it; throws a RangeError if it is invalid. */
export function headerFromJson(json: JsonObject): Header {
  return {
    parentHash: hash(json, 'parentHash'),
    ommersHash: hash(json, 'sha3Uncles'),
    beneficiary: address(json, 'miner'),
    stateRoot: hash(json, 'stateRoot'),
    transactionsRoot: hash(json, 'transactionsRoot'),
    receiptsRoot: hash(json, 'receiptsRoot'),
    logsBloom: bytes(json, 'logsBloom'),
    difficulty: quantity(json, 'difficulty'),
    number: quantity(json, 'number'),
    gasLimit: quantity(json, 'gasLimit'),
    gasUsed: quantity(json, 'gasUsed'),
    timestamp: quantity(json, 'timestamp'),
    extraData: bytes(json, 'extraData'),
    mixHash: hash(json, 'mixHash'),
    nonce: bytes(json, 'nonce'),
    baseFee: optional(json, 'baseFeePerGas', quantity),
    withdrawalsRoot: optional(json, 'withdrawalsRoot', hash),
    blobGasUsed: optional(json, 'blobGasUsed', quantity),
    excessBlobGas: optional(json, 'excessBlobGas', quantity),
    parentBeaconRoot: optional(json, 'parentBeaconBlockRoot', hash),
    requestsHash: optional(json, 'requestsHash', hash),
  }
}

/** Makes a block as `eth_getBlockByNumber` returns it, with its transactions; throws a RangeError if it is invalid. */
export function blockFromJson(json: JsonObject, ommers: readonly Header[]): Block {
  return {
    header: headerFromJson(json),
    transactions: objects(json, 'transactions').map(txFromJson),
    ommers,
    withdrawals: optional(json, 'withdrawals', objects)?.map(withdrawalFromJson),
  }
}

function txFromJson(json: JsonObject): Tx {
  const common = {
    nonce: quantity(json, 'nonce'),
    gasLimit: quantity(json, 'gas'),
    to: optional(json, 'to', address),
    value: quantity(json, 'value'),
    data: inputOf(json),
    r: quantity(json, 'r'),
    s: quantity(json, 's'),
  }
  const type = optional(json, 'type', quantity) ?? 0n
  if (type === 0n) return { type: 0, ...common, gasPrice: quantity(json, 'gasPrice'), v: quantity(json, 'v') }
  const typed = {
    ...common,
    chainId: quantity(json, 'chainId'),
    accessList: accessListOf(json),
    yParity: Number(optional(json, 'yParity', quantity) ?? quantity(json, 'v')),
  }
  if (type === 1n) return { type: 1, ...typed, gasPrice: quantity(json, 'gasPrice') }
  const market = {
    ...typed,
    maxPriorityFee: quantity(json, 'maxPriorityFeePerGas'),
    maxFee: quantity(json, 'maxFeePerGas'),
  }
  if (type === 2n) return { type: 2, ...market }
  if (type === 3n)
    return {
      type: 3,
      ...market,
      maxBlobFee: quantity(json, 'maxFeePerBlobGas'),
      blobHashes: hashes(json, 'blobVersionedHashes'),
    }
  if (type === 4n)
    return { type: 4, ...market, authorizations: objects(json, 'authorizationList').map(authorizationFromJson) }
  throw new RangeError(`a transaction has the unknown type ${type}`)
}

function inputOf(json: JsonObject): Uint8Array {
  const input = bytes(json, 'input')
  return input.length === 0 ? emptyBytes : input
}

function accessListOf(json: JsonObject): AccessList {
  return (optional(json, 'accessList', objects) ?? []).map((entry) => ({
    address: address(entry, 'address'),
    slots: hashes(entry, 'storageKeys'),
  }))
}

function authorizationFromJson(json: JsonObject): Authorization {
  return {
    chainId: quantity(json, 'chainId'),
    address: address(json, 'address'),
    nonce: quantity(json, 'nonce'),
    yParity: optional(json, 'yParity', quantity) ?? quantity(json, 'v'),
    r: quantity(json, 'r'),
    s: quantity(json, 's'),
  }
}

function withdrawalFromJson(json: JsonObject): Withdrawal {
  return {
    index: quantity(json, 'index'),
    validatorIndex: quantity(json, 'validatorIndex'),
    address: address(json, 'address'),
    amount: quantity(json, 'amount'),
  }
}

function optional<T>(json: JsonObject, key: string, read: (json: JsonObject, key: string) => T): T | undefined {
  return json[key] === undefined || json[key] === null ? undefined : read(json, key)
}

function text(json: JsonObject, key: string): string {
  const value = json[key]
  if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value))
    throw new RangeError(`${key} is not hexadecimal: ${JSON.stringify(value)}`)
  return value
}

function quantity(json: JsonObject, key: string): bigint {
  const digits = text(json, key)
  return digits === '0x' ? 0n : BigInt(digits)
}

function bytes(json: JsonObject, key: string): Uint8Array {
  return readAs(key, () => fromHex(text(json, key)))
}

function hash(json: JsonObject, key: string): Hash32 {
  return readAs(key, () => hexToHash(text(json, key)))
}

function address(json: JsonObject, key: string): Address {
  return readAs(key, () => hexToAddress(text(json, key)))
}

function readAs<T>(key: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new RangeError(`${key} is invalid: ${(error as Error).message}`, { cause: error })
  }
}

function list(json: JsonObject, key: string): readonly unknown[] {
  const value = json[key]
  if (!Array.isArray(value)) throw new RangeError(`${key} is not an array`)
  return value
}

function objects(json: JsonObject, key: string): JsonObject[] {
  return list(json, key).map((item) => {
    if (typeof item !== 'object' || item === null) throw new RangeError(`${key} has a member that is not an object`)
    return item as JsonObject
  })
}

function hashes(json: JsonObject, key: string): Hash32[] {
  return list(json, key).map((item) => hash({ [key]: item }, key))
}
