import type { TxOutcome } from '../../../execution/runTx.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { callBlockOverrides } from '../../calls/blockOverrides.ts'
import { type Bundle, callBundles } from '../../calls/callBundles.ts'
import { executionError } from '../../calls/executionError.ts'
import { stateOverrides } from '../../calls/stateOverrides.ts'
import { type BlockRef, blockRef, latest } from '../../codecs/blockRef.ts'
import { data } from '../../codecs/bytes.ts'
import { callObject } from '../../codecs/callObject.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { integer } from '../../codecs/integer.ts'
import { decodeObject, optionalMember } from '../../codecs/jsonObject.ts'
import { listDecoder, listEncoder } from '../../codecs/list.ts'
import { record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { rpcErrorObject } from '../../protocol/codes.ts'
import { callErrors } from '../../protocol/errorDocs.ts'
import { invalidParams, RpcError } from '../../protocol/fault.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

const calls = listDecoder(callObject)

const bundle: Decoder<Bundle> = {
  schema: {
    title: 'bundle',
    type: 'object',
    properties: { transactions: calls.schema, blockOverride: callBlockOverrides.schema },
  },
  decode(json) {
    const object = decodeObject(json)
    return {
      calls: calls.decode(object['transactions']),
      block: optionalMember(object, 'blockOverride', callBlockOverrides),
    }
  },
}

interface StateContext {
  readonly ref: BlockRef
  readonly index: number | undefined
}

const stateContext: Decoder<StateContext> = {
  schema: {
    title: 'state context',
    type: 'object',
    properties: { blockNumber: blockRef.schema, transactionIndex: integer.schema },
  },
  decode(json) {
    const object = decodeObject(json)
    const index = optionalMember(object, 'transactionIndex', integer) ?? -1
    if (index < -1) throw invalidParams('transactionIndex is -1 for all, or a number of transactions')
    return {
      ref: optionalMember(object, 'blockNumber', blockRef) ?? latest,
      index: index === -1 ? undefined : index,
    }
  },
}

const failureOf = (outcome: TxOutcome) =>
  outcome.status === 1 ? undefined : rpcErrorObject(executionError(outcome, true)).message

const outcomeObject = record<TxOutcome>('call result', (member) => [
  member.optional('value', data, (outcome) => (outcome.status === 1 ? outcome.output : undefined)),
  member.optional('error', text, failureOf),
])

/** Not in Besu 23.10; the form of Erigon and Reth. As in Reth all bundles run in the block that they start from, unless they override it. */
export const eth_callMany = method({
  name: 'eth_callMany',
  doc:
    'Executes bundles of calls in sequence, each call on the state after the previous one, and returns the output or the error of each. ' +
    'They start after `transactionIndex` transactions of a block, or after all of them (-1).',
  needs: ['budget', 'chain', 'evms'],
  params: [
    param('bundles', listDecoder(bundle)),
    param('context', stateContext, { value: { ref: latest, index: undefined } }),
    optionalParam('stateOverrides', stateOverrides),
  ],
  result: listEncoder(listEncoder(outcomeObject)),
  errors: callErrors,
  example: [
    [{ transactions: [{ to: '0x0000000000000000000000000000000000000004', data: '0x616263' }] }],
    { blockNumber: 'latest' },
  ],
  handler(ports, [bundles, { ref, index }, accounts]) {
    const block = ports.chain.blockBy(requireHeader(ports.chain, ref).hash)
    if (!block) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return callBundles(ports, bundles, { block, index }, accounts ?? [])
  },
})
