import { hash } from '../../codecs/bytes.ts'
import { listDecoder } from '../../codecs/list.ts'
import { nullable } from '../../codecs/nullable.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { flatTraceObject } from '../../tracing/flatTraceObject.ts'
import { tracesOfTx } from '../../tracing/placedTraces.ts'

/** Besu drops the first two characters, whatever they are. */
const hexIndex = {
  schema: { type: 'string', pattern: '^0x[0-9a-f]+$' },
  decode(json: unknown): number {
    const digits = typeof json === 'string' ? /^0x([0-9a-fA-F]{1,7})$/.exec(json)?.[1] : undefined
    if (digits === undefined) throw invalidParams('an index must be a hexadecimal string')
    return Number.parseInt(digits, 16)
  },
}

export const trace_get = method({
  name: 'trace_get',
  doc: 'Returns one trace of a transaction by its trace address; null if there is none.',
  needs: ['chain', 'evms', 'traces'],
  params: [param('hash', hash), param('traceAddress', listDecoder(hexIndex))],
  fixedCount: true,
  result: nullable(flatTraceObject),
  example: [`0x${'ab'.repeat(32)}`, ['0x0']],
  handler(ports, [wanted, address]) {
    const key = address.join()
    return tracesOfTx(ports, wanted).find(({ trace }) => trace.traceAddress.join() === key)
  },
})
