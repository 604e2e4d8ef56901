import type { PlacedLog } from '../../chain/view.ts'
import { emptyBytes } from '../../primitives/bytes.ts'
import { txHash } from '../../types/encodeTx.ts'
import { reasonOf } from '../calls/executionError.ts'
import { gethHaltText } from '../calls/gethHaltText.ts'
import { data } from '../codecs/bytes.ts'
import type { Encoder } from '../codecs/codec.ts'
import { integer } from '../codecs/integer.ts'
import { listEncoder } from '../codecs/list.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'
import { blockObject, type ShownBlock } from '../objects/block.ts'
import { receiptLogObject } from '../objects/log.ts'
import type { SimulatedBlock } from './runBlocks.ts'
import type { CallOutcome } from './runCall.ts'

const revertedCode = 3
const haltedCode = -32015

interface CallError {
  readonly message: string
  readonly code: number
  readonly data: Uint8Array | undefined
}

function errorOf({ failure, output }: CallOutcome): CallError | undefined {
  if (!failure) return undefined
  if (failure.halt !== 'revert') return { message: gethHaltText(failure), code: haltedCode, data: undefined }
  const reason = reasonOf(output)
  return { message: reason ? `execution reverted: ${reason}` : 'execution reverted', code: revertedCode, data: output }
}

interface ShownCall {
  readonly outcome: CallOutcome
  readonly logs: readonly PlacedLog[]
}

const errorObject = record<CallError>('call error', (member) => [
  member('message', text, ({ message }) => message),
  member('code', integer, ({ code }) => code),
  member.optional('data', data, (error) => error.data),
])

const callResult = record<ShownCall>('call result', (member) => [
  member('returnData', data, ({ outcome }) => (outcome.status === 1 ? outcome.output : emptyBytes)),
  member('logs', listEncoder(receiptLogObject), ({ logs }) => logs),
  member('gasUsed', quantity, ({ outcome }) => outcome.gasUsed),
  member('maxUsedGas', quantity, ({ outcome }) => outcome.maxUsedGas),
  member('status', count, ({ outcome }) => outcome.status),
  member.optional('error', errorObject, ({ outcome }) => errorOf(outcome)),
])

/** A simulated block with how it is shown. */
export interface ShownSimulation extends SimulatedBlock {
  readonly shown: ShownBlock
}

function callsOf({ header, hash, block, outcomes }: SimulatedBlock): ShownCall[] {
  let logIndex = 0
  return outcomes.map((outcome, txIndex) => {
    const place = { blockNumber: header.number, blockHash: hash, txIndex, txHash: txHash(block.transactions[txIndex]!) }
    const logs = outcome.status === 1 ? outcome.shownLogs : []
    return { outcome, logs: logs.map((log) => ({ ...log, ...place, logIndex: logIndex++ })) }
  })
}

const calls = listEncoder(callResult)

/** A block object with the results of its calls. */
export const simulatedBlockObject: Encoder<ShownSimulation> = {
  schema: {
    ...blockObject.schema,
    title: 'simulated block',
    properties: { ...(blockObject.schema['properties'] as object), calls: calls.schema },
  },
  encode: (simulation) =>
    `${blockObject.encode(simulation.shown).slice(0, -1)},"calls":${calls.encode(callsOf(simulation))}}`,
}
