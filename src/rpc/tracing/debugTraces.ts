import type { ChainView } from '../../chain/view.ts'
import type { Block } from '../../types/block.ts'
import type { EvmPort, TracesPort } from '../protocol/context.ts'
import { replay, replayOne } from './replay.ts'
import type { TraceOptions } from './traceOptions.ts'
import { watchTx } from './watchTx.ts'

/** The ports that tracing a block takes. */
export interface DebugTracePorts {
  readonly chain: ChainView
  readonly evm: EvmPort
  readonly traces: TracesPort
}

/**
 * JSON text of the traces of a block's transactions; undefined where the parent is not known. All of them are run at
 * once; the text is made as it is read.
 */
export function debugTracesOfBlock(
  { chain, evm, traces }: DebugTracePorts,
  block: Block,
  options: TraceOptions,
): Iterable<string>[] | undefined {
  const beneficiary = evm.beneficiaryOf?.(block.header) ?? block.header.beneficiary
  return replay(evm, chain, block, ({ tx, sender }, ground) =>
    watchTx(ground, { tx, sender, beneficiary }, options, traces),
  )
}

/** The same of one transaction. */
export function traceOfTx(
  { chain, evm, traces }: DebugTracePorts,
  block: Block,
  index: number,
  options: TraceOptions,
): Iterable<string> | undefined {
  const beneficiary = evm.beneficiaryOf?.(block.header) ?? block.header.beneficiary
  return replayOne(evm, chain, block, index, ({ tx, sender }, ground) =>
    watchTx(ground, { tx, sender, beneficiary }, options, traces),
  )
}
