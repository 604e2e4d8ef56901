import { hash } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { method, param } from '../../protocol/method.ts'
import { flatTraceObject } from '../../tracing/flatTraceObject.ts'
import { tracesOfTx } from '../../tracing/placedTraces.ts'

export const trace_transaction = method({
  name: 'trace_transaction',
  doc: 'Returns the call, create and suicide traces of a transaction; empty if it is unknown.',
  needs: ['chain', 'evms', 'traces'],
  params: [param('hash', hash)],
  result: listEncoder(flatTraceObject),
  example: [`0x${'ab'.repeat(32)}`],
  handler: (ports, [wanted]) => tracesOfTx(ports, wanted),
})
