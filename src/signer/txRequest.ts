import { type Address, equalBytes, type Hash32, toHash32 } from '../primitives/bytes.ts'
import type { AccessList, Authorization } from '../types/transaction.ts'
import { invalidParams } from './fault.ts'
import { readAddress, readBytes, readList, readObject, readOptional, readQuantity } from './json.ts'

/** A transaction as a client asks for it: what is undefined is filled in. */
export interface TxRequest {
  readonly type: bigint | undefined
  readonly from: Address
  readonly to: Address | undefined
  readonly value: bigint
  readonly data: Uint8Array
  readonly gas: bigint | undefined
  readonly gasPrice: bigint | undefined
  readonly maxFee: bigint | undefined
  readonly maxPriorityFee: bigint | undefined
  readonly nonce: bigint | undefined
  readonly chainId: bigint | undefined
  readonly accessList: AccessList | undefined
  readonly authorizations: readonly Authorization[] | undefined
}

/** Reads the parameter of eth_sendTransaction and eth_signTransaction. */
export function readTxRequest(json: unknown): TxRequest {
  const object = readObject(json, 'the transaction')
  if (object['from'] === undefined || object['from'] === null) throw invalidParams('from is missing')
  for (const name of ['blobs', 'blobVersionedHashes', 'maxFeePerBlobGas'])
    if (object[name] !== undefined && object[name] !== null)
      throw invalidParams(`${name}: blob transactions are not supported; send them signed, by eth_sendRawTransaction`)
  const data = readOptional(object, 'data', readBytes)
  const input = readOptional(object, 'input', readBytes)
  if (data && input && !equalBytes(data, input)) throw invalidParams('data and input differ')
  const gas = readOptional(object, 'gas', readQuantity)
  const tx: TxRequest = {
    type: readOptional(object, 'type', readQuantity),
    from: readAddress(object['from'], 'from'),
    to: readOptional(object, 'to', readAddress),
    value: readOptional(object, 'value', readQuantity) ?? 0n,
    data: data ?? input ?? new Uint8Array(0),
    gas: gas ?? readOptional(object, 'gasLimit', readQuantity),
    gasPrice: readOptional(object, 'gasPrice', readQuantity),
    maxFee: readOptional(object, 'maxFeePerGas', readQuantity),
    maxPriorityFee: readOptional(object, 'maxPriorityFeePerGas', readQuantity),
    nonce: readOptional(object, 'nonce', readQuantity),
    chainId: readOptional(object, 'chainId', readQuantity),
    accessList: readOptional(object, 'accessList', readAccessList),
    authorizations: readOptional(object, 'authorizationList', readAuthorizations),
  }
  checkFees(tx)
  return tx
}

function checkFees({ type, gasPrice, maxFee, maxPriorityFee, authorizations, accessList, to, data }: TxRequest): void {
  const feeMarket = maxFee !== undefined || maxPriorityFee !== undefined
  if (gasPrice !== undefined && feeMarket) throw invalidParams('gasPrice and maxFeePerGas or maxPriorityFeePerGas')
  if (maxFee !== undefined && maxPriorityFee !== undefined && maxPriorityFee > maxFee)
    throw invalidParams('maxPriorityFeePerGas is above maxFeePerGas')
  if (to === undefined && data.length === 0) throw invalidParams('neither to nor data')
  if (authorizations !== undefined && to === undefined) throw invalidParams('authorizationList without to')
  if (type === undefined) return
  if (type > 4n || type === 3n) throw invalidParams(`the transaction type ${type} is not supported`)
  if (type < 2n && feeMarket) throw invalidParams(`maxFeePerGas in a transaction of type ${type}`)
  if (type >= 2n && gasPrice !== undefined) throw invalidParams(`gasPrice in a transaction of type ${type}`)
  if (type === 0n && accessList !== undefined && accessList.length > 0)
    throw invalidParams('accessList in a transaction of type 0')
  if ((type === 4n) !== (authorizations !== undefined)) throw invalidParams(`authorizationList and type ${type}`)
}

function readHash(json: unknown): Hash32 {
  const bytes = readBytes(json, 'storageKeys')
  if (bytes.length !== 32) throw invalidParams('a storage key does not have 32 bytes')
  return toHash32(bytes)
}

function readAccessList(json: unknown): AccessList {
  return readList(json, 'accessList').map((entry) => {
    const object = readObject(entry, 'an entry of accessList')
    return {
      address: readAddress(object['address'], 'address'),
      slots: readList(object['storageKeys'] ?? [], 'storageKeys').map(readHash),
    }
  })
}

function readAuthorizations(json: unknown): Authorization[] {
  return readList(json, 'authorizationList').map((entry) => {
    const object = readObject(entry, 'an entry of authorizationList')
    const number = (name: string) => readQuantity(object[name], name)
    return {
      chainId: number('chainId'),
      address: readAddress(object['address'], 'address'),
      nonce: number('nonce'),
      yParity: number('yParity'),
      r: number('r'),
      s: number('s'),
    }
  })
}
