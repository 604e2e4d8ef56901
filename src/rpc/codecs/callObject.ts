import { emptyBytes, equalBytes } from '../../primitives/bytes.ts'
import type { JsonObject } from '../../primitives/json.ts'
import type { Call } from '../../query/call.ts'
import type { AccessList, Authorization } from '../../types/transaction.ts'
import { invalidParams } from '../protocol/fault.ts'
import { boolean } from './boolean.ts'
import { address, data, hash } from './bytes.ts'
import type { Decoder } from './codec.ts'
import { gasAmount } from './integer.ts'
import { decodeObject, optionalMember } from './jsonObject.ts'
import { listDecoder } from './list.ts'
import { quantity, wei } from './quantity.ts'

/** A transaction call object of JSON-RPC. */
export interface CallObject extends Call {
  /** Whether balance and gas price are checked. */
  readonly strict: boolean
}

/** The payload, `data` or `input`. Many clients send both; Besu accepts that since 24.x, where they are equal. */
function decodePayload(object: JsonObject): Uint8Array {
  const a = optionalMember(object, 'data', data)
  const b = optionalMember(object, 'input', data)
  if (a && b && !equalBytes(a, b)) throw invalidParams('data and input differ')
  return a ?? b ?? emptyBytes
}

/** An access list (EIP-2930). */
export const accessList: Decoder<AccessList> = listDecoder({
  schema: {
    title: 'access list entry',
    type: 'object',
    properties: { address: address.schema, storageKeys: { type: 'array', items: hash.schema } },
  },
  decode(json) {
    const object = decodeObject(json)
    const slots = optionalMember(object, 'storageKeys', listDecoder(hash)) ?? []
    return { address: address.decode(object['address']), slots }
  },
})

const authorization: Decoder<Authorization> = {
  schema: { title: 'authorization', type: 'object' },
  decode(json) {
    const object = decodeObject(json)
    const number = (name: string) => wei.decode(object[name])
    return {
      chainId: number('chainId'),
      address: address.decode(object['address']),
      nonce: number('nonce'),
      yParity: number('yParity'),
      r: number('r'),
      s: number('s'),
    }
  },
}

const fields = {
  from: address,
  to: address,
  gas: gasAmount,
  gasPrice: wei,
  maxFeePerGas: wei,
  maxPriorityFeePerGas: wei,
  maxFeePerBlobGas: wei,
  value: wei,
  data,
  input: data,
  nonce: quantity,
  accessList,
  blobVersionedHashes: listDecoder(hash),
  authorizationList: listDecoder(authorization),
  strict: boolean,
}

/** Unknown members are ignored, as in Besu. */
export const callObject: Decoder<CallObject> = {
  schema: {
    title: 'transaction call',
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
  },
  decode(json) {
    const object = decodeObject(json)
    const call: CallObject = {
      from: optionalMember(object, 'from', fields.from),
      to: optionalMember(object, 'to', fields.to),
      gas: optionalMember(object, 'gas', fields.gas),
      gasPrice: optionalMember(object, 'gasPrice', fields.gasPrice),
      maxFee: optionalMember(object, 'maxFeePerGas', fields.maxFeePerGas),
      maxPriorityFee: optionalMember(object, 'maxPriorityFeePerGas', fields.maxPriorityFeePerGas),
      maxBlobFee: optionalMember(object, 'maxFeePerBlobGas', fields.maxFeePerBlobGas),
      value: optionalMember(object, 'value', fields.value) ?? 0n,
      data: decodePayload(object),
      nonce: optionalMember(object, 'nonce', fields.nonce),
      accessList: optionalMember(object, 'accessList', fields.accessList),
      blobHashes: optionalMember(object, 'blobVersionedHashes', fields.blobVersionedHashes),
      authorizations: optionalMember(object, 'authorizationList', fields.authorizationList),
      strict: optionalMember(object, 'strict', fields.strict) ?? false,
    }
    const feeMarket = call.maxFee !== undefined || call.maxPriorityFee !== undefined
    if (call.gasPrice !== undefined && feeMarket) throw invalidParams()
    return call
  },
}

/** Delays decoding until use, because Besu looks up the block before it reads the call. */
export function lazyDecoder<T>(inner: Decoder<T>): Decoder<() => T> {
  return { schema: inner.schema, decode: (json) => () => inner.decode(json) }
}
