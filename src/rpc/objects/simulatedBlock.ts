import type { PlacedLog } from '../../chain/view.ts'
import { emptyBytes } from '../../primitives/bytes.ts'
import type { SimulatedBlock } from '../../query/simulate/simulateBlocks.ts'
import type { SimulatedCall } from '../../query/simulate/simulatedCalls.ts'
import { txHash } from '../../types/encodeTx.ts'
import { gethHaltText } from '../calls/gethHaltText.ts'
import { reasonOf } from '../calls/revertFormat.ts'
import { data } from '../codecs/bytes.ts'
import type { Encoder } from '../codecs/codec.ts'
import { integer } from '../codecs/integer.ts'
import { listEncoder } from '../codecs/list.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'
import { blockObject, type ShownBlock } from './block.ts'
import { receiptLogObject } from './log.ts'
import { shownTime } from './transaction.ts'

const revertedCode = 3
const haltedCode = -32015

interface CallError {
  readonly message: string
  readonly code: number
  readonly data: Uint8Array | undefined
}

function errorOf({ failure, output }: SimulatedCall): CallError | undefined {
  if (!failure) return undefined
  if (failure.halt !== 'revert') return { message: gethHaltText(failure), code: haltedCode, data: undefined }
  const reason = reasonOf(output)
  return { message: reason ? `execution reverted: ${reason}` : 'execution reverted', code: revertedCode, data: output }
}

interface ShownCall {
  readonly call: SimulatedCall
  readonly logs: readonly PlacedLog[]
}

const errorObject = record<CallError>('call error', (member) => [
  member('message', text, ({ message }) => message),
  member('code', integer, ({ code }) => code),
  member.optional('data', data, (error) => error.data),
])

const callResult = record<ShownCall>('call result', (member) => [
  member('returnData', data, ({ call }) => (call.status === 1 ? call.output : emptyBytes)),
  member('logs', listEncoder(receiptLogObject), ({ logs }) => logs),
  member('gasUsed', quantity, ({ call }) => call.gasUsed),
  member('maxUsedGas', quantity, ({ call }) => call.maxUsedGas),
  member('status', count, ({ call }) => call.status),
  member.optional('error', errorObject, ({ call }) => errorOf(call)),
])

/** A simulated block with how it is shown. */
export interface ShownSimulation extends SimulatedBlock {
  readonly shown: ShownBlock
}

/** The calls of a block with their logs, whose indexes count through the block. */
function shownCallsOf({ header, hash, block, calls }: SimulatedBlock): ShownCall[] {
  let logIndex = 0
  const blockPlace = { blockNumber: header.number, blockHash: hash, blockTimestamp: shownTime(header) }
  return calls.map((call, txIndex) => {
    const place = { ...blockPlace, txIndex, txHash: txHash(block.transactions[txIndex]!) }
    const logs = call.status === 1 ? call.shownLogs : []
    return { call, logs: logs.map((log) => ({ ...log, ...place, logIndex: logIndex++ })) }
  })
}

const callResults = listEncoder(callResult)

/** A block object with the results of its calls. */
export const simulatedBlockObject: Encoder<ShownSimulation> = {
  schema: {
    ...blockObject.schema,
    title: 'simulated block',
    properties: { ...(blockObject.schema['properties'] as object), calls: callResults.schema },
  },
  encode: (simulation) =>
    `${blockObject.encode(simulation.shown).slice(0, -1)},"calls":${callResults.encode(shownCallsOf(simulation))}}`,
}
