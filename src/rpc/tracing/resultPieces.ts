import type { Hash32 } from '../../primitives/bytes.ts'
import { hexText } from '../codecs/bytes.ts'
import { listEncoder } from '../codecs/list.ts'
import type { BesuTraces } from './besuTraces.ts'
import { flatTraceObject } from './flatTraceObject.ts'
import { stateDiffText } from './stateDiffText.ts'

/** Schema of what TRACE methods return for one transaction. */
export const resultSchema = {
  title: 'traces of a transaction',
  type: 'object',
  properties: {
    output: { type: 'string' },
    revertReason: { type: 'string' },
    stateDiff: { type: ['object', 'null'] },
    trace: { type: 'array', items: flatTraceObject.schema },
    transactionHash: { type: 'string' },
    vmTrace: { type: ['object', 'null'] },
  },
}

const flatList = listEncoder(flatTraceObject)

/** What a transaction of the chain reverted with is no output; of a call that was only tried out it is. */
function headText({ outcome }: BesuTraces, tx: { readonly hash: Hash32 } | undefined): string {
  const output = hexText(outcome.output)
  if (!tx) return `{"output":${output}`
  return outcome.halt === 'revert' ? `{"output":"0x","revertReason":${output}` : `{"output":${output}`
}

/** JSON text of a transaction's traces; without a hash for one that is not in the chain. */
export function resultPieces(traces: BesuTraces, tx: { readonly hash: Hash32 } | undefined): Iterable<string> {
  const { flat, vm, diff } = traces
  const trace = flatList.encode((flat ?? []).map((one) => ({ trace: one, place: undefined })))
  const hash = tx ? `,"transactionHash":${hexText(tx.hash)}` : ''
  const stateDiff = diff ? stateDiffText(diff) : 'null'
  const start = `${headText(traces, tx)},"stateDiff":${stateDiff},"trace":${trace}${hash},"vmTrace":`
  return vm ? join(start, vm) : [`${start}null}`]
}

function* join(start: string, vm: Iterable<string>): Generator<string> {
  yield start
  yield* vm
  yield '}'
}
