import type { BlockOverrides } from '../../query/blockOverrides.ts'
import type { Withdrawal } from '../../types/withdrawal.ts'
import { address, hash } from '../codecs/bytes.ts'
import type { Decoder } from '../codecs/codec.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import { listDecoder } from '../codecs/list.ts'
import { quantity, wei } from '../codecs/quantity.ts'
import { invalidParams } from '../protocol/fault.ts'

const withdrawal: Decoder<Withdrawal> = {
  schema: { title: 'withdrawal', type: 'object' },
  decode(json) {
    const object = decodeObject(json)
    return {
      index: wei.decode(object['index']),
      validatorIndex: wei.decode(object['validatorIndex']),
      address: address.decode(object['address']),
      amount: wei.decode(object['amount']),
    }
  },
}

/** Overrides of a simulated block. `coinbase`, `random` and `baseFee` are older names, which many clients still use. */
export const blockOverrides: Decoder<BlockOverrides> = {
  schema: {
    title: 'block overrides',
    type: 'object',
    properties: {
      number: quantity.schema,
      time: quantity.schema,
      gasLimit: quantity.schema,
      difficulty: wei.schema,
      feeRecipient: address.schema,
      prevRandao: hash.schema,
      baseFeePerGas: wei.schema,
      blobBaseFee: wei.schema,
    },
  },
  decode(json) {
    const object = decodeObject(json)
    const member = <T>(decoder: Decoder<T>, name: string, olderName = name) =>
      optionalMember(object, name, decoder) ?? optionalMember(object, olderName, decoder)
    return {
      number: member(quantity, 'number'),
      time: member(quantity, 'time'),
      gasLimit: member(quantity, 'gasLimit'),
      difficulty: member(wei, 'difficulty'),
      feeRecipient: member(address, 'feeRecipient', 'coinbase'),
      prevRandao: member(hash, 'prevRandao', 'random'),
      baseFee: member(wei, 'baseFeePerGas', 'baseFee'),
      blobBaseFee: member(wei, 'blobBaseFee'),
      beaconRoot: member(hash, 'beaconRoot'),
      withdrawals: member(listDecoder(withdrawal), 'withdrawals'),
    }
  },
}

/** Overrides of the block that a call runs in. */
export const callBlockOverrides: Decoder<BlockOverrides> = {
  schema: blockOverrides.schema,
  decode(json) {
    const overrides = blockOverrides.decode(json)
    if (overrides.beaconRoot ?? overrides.withdrawals)
      throw invalidParams('beaconRoot and withdrawals can be overridden in eth_simulateV1 only')
    return overrides
  },
}
