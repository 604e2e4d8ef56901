import { hash } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { method, param } from '../../protocol/method.ts'
import { flatTraceObject } from '../../tracing/flatTraceObject.ts'
import { tracesOfTx } from '../../tracing/placedTraces.ts'

export const trace_transaction = method({
  name: 'trace_transaction',
  doc: 'Calls, creations and self-destructions of a transaction; none when it is not known.',
  needs: ['chain', 'evms', 'traces'],
  params: [param('hash', hash)],
  result: listEncoder(flatTraceObject),
  example: [`0x${'ab'.repeat(32)}`],
  handler: (ports, [wanted]) => tracesOfTx(ports, wanted),
})
