import { requireHeader } from '../../blocks/resolveBlock.ts'
import { anyBlockNumber, latest } from '../../codecs/blockRef.ts'
import { callObject } from '../../codecs/callObject.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { listDecoder } from '../../codecs/list.ts'
import { arrayOfPieces, pieces } from '../../codecs/pieces.ts'
import { traceCallErrors } from '../../protocol/errorDocs.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { resultPieces, resultSchema } from '../../tracing/resultPieces.ts'
import { type TracedCall, traceCalls } from '../../tracing/traceCalls.ts'
import { traceTypes } from '../../tracing/traceTypes.ts'

const tracedCall: Decoder<TracedCall> = {
  schema: { type: 'array', items: [callObject.schema, traceTypes.schema] },
  decode(json) {
    if (!Array.isArray(json) || json.length !== 2) throw invalidParams()
    return { call: callObject.decode(json[0]), types: traceTypes.decode(json[1]) }
  },
}

/** If the sender of one call cannot pay, the whole request fails; Besu hides that error in a result. */
export const trace_callMany = method({
  name: 'trace_callMany',
  doc: 'Executes calls in sequence, each on the state after the previous one, and returns the requested traces of each.',
  needs: ['budget', 'chain', 'evms', 'traces'],
  params: [param('calls', listDecoder(tracedCall)), param('block', anyBlockNumber, { value: latest })],
  fixedCount: true,
  result: pieces({ type: 'array', items: resultSchema }),
  errors: traceCallErrors,
  example: [[[{ to: '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', gasPrice: '0x0' }, ['trace']]], 'latest'],
  handler(ports, [calls, block]) {
    const traces = traceCalls(ports, requireHeader(ports.chain, block), calls)
    return arrayOfPieces(traces.map((one) => resultPieces(one, undefined)))
  },
})
