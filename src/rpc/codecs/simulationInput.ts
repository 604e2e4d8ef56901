import type { BlockCalls, Simulation } from '../../query/simulate/simulation.ts'
import { blockOverrides } from '../calls/blockOverrides.ts'
import { stateOverrides } from '../calls/stateOverrides.ts'
import { boolean } from './boolean.ts'
import { callObject } from './callObject.ts'
import type { Decoder } from './codec.ts'
import { decodeObject, optionalMember } from './jsonObject.ts'
import { listDecoder } from './list.ts'

/** A simulation, and how its blocks are shown. */
export interface SimulationInput extends Simulation {
  readonly fullTransactions: boolean
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
