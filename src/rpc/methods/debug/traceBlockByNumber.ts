import { numberOf } from '../../blocks/resolveBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { nullable } from '../../codecs/nullable.ts'
import { arrayOfPieces, pieces } from '../../codecs/pieces.ts'
import { method, param } from '../../protocol/method.ts'
import { debugTracesOfBlock } from '../../tracing/debugTraces.ts'
import { scriptLimit, withScripts } from '../../tracing/script/watchScript.ts'
import { defaultTraceOptions, traceOptions } from '../../tracing/traceOptions.ts'
import { structLogSchema } from '../../tracing/watchTx.ts'

export const debug_traceBlockByNumber = method({
  name: 'debug_traceBlockByNumber',
  doc: 'Returns the traces of the transactions of a block by number or tag; null for an unknown block and the genesis block.',
  needs: ['chain', 'evms', 'limits', 'traces'],
  params: [param('block', blockNumber), param('options', traceOptions, { value: defaultTraceOptions })],
  result: nullable(pieces({ type: 'array', items: structLogSchema })),
  example: ['latest', { disableStorage: true }],
  runTime: (args) => scriptLimit(args[1], true),
  handler(ports, [ref, options]) {
    const hashed = ports.chain.blockAt(numberOf(ports.chain, ref))
    if (!hashed) return undefined
    return withScripts(options, ports.limits, (scripts) => {
      const traces = debugTracesOfBlock(ports, hashed.block, options, scripts)
      return traces && arrayOfPieces(traces)
    })
  },
})
