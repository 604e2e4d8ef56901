import type { Block } from '../../types/block.ts'
import { replay, replayOne, type TracingPorts } from './replay.ts'
import type { TraceOptions } from './traceOptions.ts'
import { watchTx } from './watchTx.ts'

/**
 * JSON text of the traces of a block's transactions; undefined where the parent is not known. All of them are run at
 * once; the text is made as it is read.
 */
export function debugTracesOfBlock(
  { chain, evms, traces }: TracingPorts,
  block: Block,
  options: TraceOptions,
): Iterable<string>[] | undefined {
  const beneficiary = evms.beneficiaryOf?.(block.header) ?? block.header.beneficiary
  return replay(evms, chain, block, ({ tx, sender }, context) =>
    watchTx(context, { tx, sender, beneficiary }, options, traces),
  )
}

/** The same of one transaction. */
export function traceOfTx(
  { chain, evms, traces }: TracingPorts,
  block: Block,
  index: number,
  options: TraceOptions,
): Iterable<string> | undefined {
  const beneficiary = evms.beneficiaryOf?.(block.header) ?? block.header.beneficiary
  return replayOne(evms, chain, block, index, ({ tx, sender }, context) =>
    watchTx(context, { tx, sender, beneficiary }, options, traces),
  )
}
