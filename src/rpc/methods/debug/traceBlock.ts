import { Fault } from '../../../primitives/fault.ts'
import { toHex } from '../../../primitives/hex.ts'
import { encodeRlp } from '../../../primitives/rlp.ts'
import { type Block, decodeBlock } from '../../../types/block.ts'
import { data } from '../../codecs/bytes.ts'
import { arrayOfPieces, pieces } from '../../codecs/pieces.ts'
import { invalidParams, RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { debugTracesOfBlock } from '../../tracing/debugTraces.ts'
import { defaultTraceOptions, traceOptions } from '../../tracing/traceOptions.ts'
import { structLogSchema } from '../../tracing/watchTx.ts'

/** Bytes of the members of a header. */
const headerSizes = [32, 32, 20, 32, 32, 32, 256, 0, 0, 0, 0, 0, 0, 32, 8]
/** A block without transactions that is in no chain. */
const strayBlock = toHex(encodeRlp([headerSizes.map((size) => new Uint8Array(size).fill(0xab)), [], []]))

function decode(rlp: Uint8Array): Block {
  try {
    return decodeBlock(rlp)
  } catch (error) {
    if (error instanceof Fault || error instanceof RangeError) throw invalidParams()
    throw error
  }
}

/** A block of one transaction answers with its trace, one of several, or of none, with a list. */
export const debug_traceBlock = method({
  name: 'debug_traceBlock',
  doc: 'Runs the transactions of a block, which need not be in the chain, on the state of its parent and traces them.',
  needs: ['chain', 'evms', 'traces'],
  params: [param('block', data), param('options', traceOptions, { value: defaultTraceOptions })],
  result: pieces({ oneOf: [structLogSchema, { type: 'array', items: structLogSchema }] }),
  errors: [[-32000, 'The parent of the block is not known.']],
  example: [strayBlock, { disableStorage: true }],
  handler(ports, [rlp, options]) {
    const traces = debugTracesOfBlock(ports, decode(rlp), options)
    if (!traces) throw new RpcError({ code: 'PARENT_NOT_FOUND' })
    return traces.length === 1 ? traces[0]! : arrayOfPieces(traces)
  },
})
