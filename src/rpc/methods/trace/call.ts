import { requireHeader } from '../../blocks/resolveBlock.ts'
import { anyBlockNumber, latest } from '../../codecs/blockRef.ts'
import { callObject } from '../../codecs/callObject.ts'
import { pieces } from '../../codecs/pieces.ts'
import { traceCallErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'
import { resultPieces, resultSchema } from '../../tracing/resultPieces.ts'
import { traceCalls } from '../../tracing/traceCalls.ts'
import { traceTypes } from '../../tracing/traceTypes.ts'

export const trace_call = method({
  name: 'trace_call',
  doc: 'Executes a call on the state of a block, with fees as in a transaction, and returns the requested traces.',
  needs: ['budget', 'chain', 'evms', 'traces'],
  params: [param('call', callObject), param('types', traceTypes), param('block', anyBlockNumber, { value: latest })],
  result: pieces(resultSchema),
  errors: traceCallErrors,
  example: [{ to: '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', gasPrice: '0x0' }, ['trace'], 'latest'],
  handler(ports, [call, types, block]) {
    const [traces] = traceCalls(ports, requireHeader(ports.chain, block), [{ call, types }])
    return resultPieces(traces!, undefined)
  },
})
