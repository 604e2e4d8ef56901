import { Fault } from '../../../primitives/fault.ts'
import { toHex } from '../../../primitives/hex.ts'
import { encodeRlp } from '../../../primitives/rlp.ts'
import { type Block, decodeBlock } from '../../../types/block.ts'
import { data } from '../../codecs/bytes.ts'
import { arrayOfPieces, pieces } from '../../codecs/pieces.ts'
import { invalidParams, RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { debugTracesOfBlock } from '../../tracing/debugTraces.ts'
import { scriptLimit, withScripts } from '../../tracing/script/watchScript.ts'
import { defaultTraceOptions, traceOptions } from '../../tracing/traceOptions.ts'
import { structLogSchema } from '../../tracing/watchTx.ts'

/** Lengths of the fields of a header. */
const headerSizes = [32, 32, 20, 32, 32, 32, 256, 0, 0, 0, 0, 0, 0, 32, 8]
/** A block without transactions that is not in the chain. */
const strayBlock = toHex(encodeRlp([headerSizes.map((size) => new Uint8Array(size).fill(0xab)), [], []]))

function decode(rlp: Uint8Array): Block {
  try {
    return decodeBlock(rlp)
  } catch (error) {
    if (error instanceof Fault || error instanceof RangeError) throw invalidParams()
    throw error
  }
}

/** Returns a single trace, not a list, for a block of one transaction, as in Besu. */
export const debug_traceBlock = method({
  name: 'debug_traceBlock',
  doc: 'Executes the transactions of an RLP-encoded block, which need not be in the chain, and returns their traces.',
  needs: ['chain', 'evms', 'limits', 'traces'],
  params: [param('block', data), param('options', traceOptions, { value: defaultTraceOptions })],
  result: pieces({ oneOf: [structLogSchema, { type: 'array', items: structLogSchema }] }),
  errors: [[-32000, 'Parent block not found.']],
  example: [strayBlock, { disableStorage: true }],
  runTime: (args) => scriptLimit(args[1], true),
  handler(ports, [rlp, options]) {
    const block = decode(rlp)
    return withScripts(options, ports.limits, (scripts) => {
      const traces = debugTracesOfBlock(ports, block, options, scripts)
      if (!traces) throw new RpcError({ code: 'PARENT_NOT_FOUND' })
      // The specification has a single trace here; a tracer's are a list, as in geth.
      return traces.length === 1 && options.tracer === 'structLogs' ? traces[0]! : arrayOfPieces(traces)
    })
  },
})
