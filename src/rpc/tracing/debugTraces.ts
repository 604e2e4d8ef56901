import type { Block } from '../../types/block.ts'
import { txHash } from '../../types/encodeTx.ts'
import { headerHash } from '../../types/header.ts'
import type { Tx } from '../../types/transaction.ts'
import { hexText } from '../codecs/bytes.ts'
import type { RpcContext } from '../protocol/context.ts'
import type { TxPlace } from './flatCallText.ts'
import { replay, replayOne, type TracingPorts } from './replay.ts'
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
): Iterable<string>[] | undefined {
  const options = withStepLimit(wanted, limits.maxTraceSteps)
  const beneficiary = evms.beneficiaryOf?.(block.header) ?? block.header.beneficiary
  return replay(evms, chain, block, ({ tx, sender, index }, context) => {
    const place = placeIn(block, tx, index)
    const watch = watchTx(context, { tx, sender, beneficiary, place }, options, traces)
    if (options.tracer === 'structLogs') return watch
    return { ...watch, finish: (outcome) => besideHash(tx, watch.finish(outcome)) }
  })
}

const placeIn =
  ({ header }: Block, tx: Tx, index: number) =>
  (): TxPlace => ({ blockHash: headerHash(header), blockNumber: header.number, txHash: txHash(tx), index })

/** The form of geth, which users of its tracers read. The specification and Besu give step logs by themselves. */
function* besideHash(tx: Tx, trace: Iterable<string>): Generator<string> {
  yield `{"txHash":${hexText(txHash(tx))},"result":`
  yield* trace
  yield '}'
}

/** The same of one transaction. */
export function traceOfTx(
  { chain, evms, traces, limits }: DebugPorts,
  block: Block,
  index: number,
  wanted: TraceOptions,
): Iterable<string> | undefined {
  const options = withStepLimit(wanted, limits.maxTraceSteps)
  const beneficiary = evms.beneficiaryOf?.(block.header) ?? block.header.beneficiary
  return replayOne(evms, chain, block, index, ({ tx, sender }, context) =>
    watchTx(context, { tx, sender, beneficiary, place: placeIn(block, tx, index) }, options, traces),
  )
}
