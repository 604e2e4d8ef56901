import type { CallFrame } from '../../../execution/tracing/callTracer.ts'
import { address, hash } from '../../codecs/bytes.ts'
import { integer } from '../../codecs/integer.ts'
import { listEncoder } from '../../codecs/list.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { txErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'
import { callTreeOf, framesOf, requireTx } from '../../tracing/callTrees.ts'

const kinds: Readonly<Record<string, number>> = { CALL: 0, SELFDESTRUCT: 1, CREATE: 2, CREATE2: 3 }

const operation = record<CallFrame>('operation', (member) => [
  member('type', integer, ({ kind }) => kinds[kind]!),
  member('from', address, ({ from }) => from),
  member('to', address, ({ to }) => to),
  member('value', quantity, ({ value }) => value),
])

export const ots_getInternalOperations = method({
  name: 'ots_getInternalOperations',
  doc: 'Executes a mined transaction again and returns what it did inside: transfers of ether (0), self-destructions (1), creations by CREATE (2) and CREATE2 (3).',
  needs: ['chain', 'evms'],
  params: [param('hash', hash)],
  result: listEncoder(operation),
  errors: txErrors,
  example: [`0x${'ab'.repeat(32)}`],
  handler: (ports, [wanted]) =>
    [...framesOf(callTreeOf(ports, requireTx(ports, wanted)))]
      .filter(({ frame: { kind, value }, depth }) => depth > 0 && kind in kinds && (kind !== 'CALL' || value > 0n))
      .map(({ frame }) => frame),
})
