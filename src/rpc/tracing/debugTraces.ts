import type { Block } from '../../types/block.ts'
import { txHash } from '../../types/encodeTx.ts'
import { headerHash } from '../../types/header.ts'
import type { Tx } from '../../types/transaction.ts'
import { hexText } from '../codecs/bytes.ts'
import type { RpcContext } from '../protocol/context.ts'
import type { TxPlace } from './flatCallText.ts'
import { replay, replayOne, type TracingPorts } from './replay.ts'
import type { ScriptRun } from './script/watchScript.ts'
import { scriptErrorOf } from './script/watchScript.ts'
import { type TraceOptions, withStepLimit } from './traceOptions.ts'
import { watchTx } from './watchTx.ts'

type DebugPorts = TracingPorts & Pick<RpcContext, 'limits'>

/**
 * JSON text of the traces of a block's transactions; undefined where the parent is not known. All of them are run at
 * once; the text is made as it is read. Those of a tracer stand beside the hash of their transaction.
 */
export function debugTracesOfBlock(
  { chain, evms, traces, limits }: DebugPorts,
  block: Block,
  wanted: TraceOptions,
  scripts?: ScriptRun,
): Iterable<string>[] | undefined {
  const options = withStepLimit(wanted, limits.maxTraceSteps)
  const beneficiary = evms.beneficiaryOf?.(block.header) ?? block.header.beneficiary
  return replay(evms, chain, block, ({ tx, sender, index }, context) => {
    const place = placeIn(block, tx, index)
    const tools = { ...traces, scripts }
    const watch = watchTx(context, { tx, sender, beneficiary, block: block.header, place }, options, tools)
    if (options.tracer === 'structLogs') return watch
    return { ...watch, finish: (outcome) => besideHash(tx, () => watch.finish(outcome)) }
  })
}

const placeIn =
  ({ header }: Block, tx: Tx, index: number) =>
  (): TxPlace => ({ blockHash: headerHash(header), blockNumber: header.number, txHash: txHash(tx), index })

/** The form of geth, which users of its tracers read. The specification and Besu give step logs by themselves. */
function besideHash(tx: Tx, finish: () => Iterable<string>): Iterable<string> {
  try {
    return joined(`{"txHash":${hexText(txHash(tx))},"result":`, finish())
  } catch (error) {
    // A tracer of the caller's own fails with one transaction, and may do well with the next.
    const reason = scriptErrorOf(error)
    if (reason === undefined) throw error
    return [`{"txHash":${hexText(txHash(tx))},"error":${JSON.stringify(reason)}}`]
  }
}

function* joined(start: string, trace: Iterable<string>): Generator<string> {
  yield start
  yield* trace
  yield '}'
}

/** The same of one transaction. */
export function traceOfTx(
  { chain, evms, traces, limits }: DebugPorts,
  block: Block,
  index: number,
  wanted: TraceOptions,
  scripts?: ScriptRun,
): Iterable<string> | undefined {
  const options = withStepLimit(wanted, limits.maxTraceSteps)
  const beneficiary = evms.beneficiaryOf?.(block.header) ?? block.header.beneficiary
  return replayOne(evms, chain, block, index, ({ tx, sender }, context) =>
    watchTx(context, { tx, sender, beneficiary, block: block.header, place: placeIn(block, tx, index) }, options, {
      ...traces,
      scripts,
    }),
  )
}
