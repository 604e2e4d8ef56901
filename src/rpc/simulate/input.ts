import type { BlockCalls, BlockOverrides, Simulation } from '../../query/simulate/simulation.ts'
import type { Withdrawal } from '../../types/withdrawal.ts'
import { stateOverrides } from '../calls/stateOverrides.ts'
import { boolean } from '../codecs/boolean.ts'
import { address, hash } from '../codecs/bytes.ts'
import { callObject } from '../codecs/callObject.ts'
import type { Decoder } from '../codecs/codec.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import { listDecoder } from '../codecs/list.ts'
import { quantity, wei } from '../codecs/quantity.ts'

/** A simulation, and how its blocks are shown. */
export interface SimulationInput extends Simulation {
  readonly fullTransactions: boolean
}

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

const blockOverrides: Decoder<BlockOverrides> = {
  schema: { title: 'block overrides', type: 'object' },
  decode(json) {
    const object = decodeObject(json)
    return {
      number: optionalMember(object, 'number', quantity),
      time: optionalMember(object, 'time', quantity),
      gasLimit: optionalMember(object, 'gasLimit', quantity),
      feeRecipient: optionalMember(object, 'feeRecipient', address),
      prevRandao: optionalMember(object, 'prevRandao', hash),
      baseFee: optionalMember(object, 'baseFeePerGas', wei),
      blobBaseFee: optionalMember(object, 'blobBaseFee', wei),
      beaconRoot: optionalMember(object, 'beaconRoot', hash),
      withdrawals: optionalMember(object, 'withdrawals', listDecoder(withdrawal)),
    }
  },
}

const blockCalls: Decoder<BlockCalls> = {
  schema: { title: 'block to simulate', type: 'object' },
  decode(json) {
    const object = decodeObject(json)
    return {
      block: optionalMember(object, 'blockOverrides', blockOverrides) ?? {},
      state: optionalMember(object, 'stateOverrides', stateOverrides) ?? [],
      calls: optionalMember(object, 'calls', listDecoder(callObject)) ?? [],
    }
  },
}

/** Blocks with calls, and how to run them. */
export const simulationInput: Decoder<SimulationInput> = {
  schema: {
    title: 'simulation',
    type: 'object',
    properties: {
      blockStateCalls: { type: 'array', items: blockCalls.schema },
      traceTransfers: boolean.schema,
      validation: boolean.schema,
      returnFullTransactions: boolean.schema,
    },
  },
  decode(json) {
    const object = decodeObject(json)
    return {
      blocks: listDecoder(blockCalls).decode(object['blockStateCalls']),
      traceTransfers: optionalMember(object, 'traceTransfers', boolean) ?? false,
      validation: optionalMember(object, 'validation', boolean) ?? false,
      fullTransactions: optionalMember(object, 'returnFullTransactions', boolean) ?? false,
    }
  },
}
