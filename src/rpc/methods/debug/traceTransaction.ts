import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { pieces } from '../../codecs/pieces.ts'
import { method, param } from '../../protocol/method.ts'
import { traceOfTx } from '../../tracing/debugTraces.ts'
import { scriptLimit, withScripts } from '../../tracing/script/watchScript.ts'
import { defaultTraceOptions, traceOptions } from '../../tracing/traceOptions.ts'
import { structLogSchema } from '../../tracing/watchTx.ts'

export const debug_traceTransaction = method({
  name: 'debug_traceTransaction',
  doc: 'Executes a mined transaction again and returns its trace; null if it is unknown.',
  needs: ['chain', 'evms', 'limits', 'traces'],
  params: [param('hash', hash), param('options', traceOptions, { value: defaultTraceOptions })],
  result: nullable(pieces(structLogSchema)),
  example: [`0x${'ab'.repeat(32)}`, { disableStorage: true }],
  runTime: (args) => scriptLimit(args[1], false),
  handler(ports, [wanted, options]) {
    const place = ports.chain.findTx(wanted)
    const hashed = place && ports.chain.blockAt(place.blockNumber)
    if (!hashed) return undefined
    return withScripts(options, ports.limits, (scripts) =>
      traceOfTx(ports, hashed.block, place.index, options, scripts),
    )
  },
})
