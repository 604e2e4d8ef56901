import type { ChainView } from '../../chain/view.ts'
import type { BlockContext } from '../../execution/applyBlock.ts'
import { createMovingState, type MovingState } from '../../execution/tracing/movingState.ts'
import { movingTraceContext, type TraceContext } from '../../execution/tracing/traceContext.ts'
import { runBetween, type TracedTx, type TxWatch, traceTx, traceTxs } from '../../execution/tracing/traceTxs.ts'
import { zeroHash } from '../../primitives/bytes.ts'
import type { Evms } from '../../query/evms.ts'
import { hostOf } from '../../query/trialEvm.ts'
import type { Block } from '../../types/block.ts'
import type { Header } from '../../types/header.ts'
import { senderOf } from '../../types/signTx.ts'
import { requireBlockState } from '../calls/requireBlockState.ts'
import type { RpcContext } from '../protocol/context.ts'

/** The ports that tracing takes. */
export type TracingPorts = Pick<RpcContext, 'chain' | 'evms' | 'traces'>

/** How a known block is run again; its receipts are not looked at, so their state roots need not be right. */
export function replayContext(evms: Evms, chain: ChainView, header: Header): BlockContext {
  return {
    spec: chain.spec,
    rules: chain.rulesOf(header),
    rootOf: () => zeroHash,
    beneficiary: evms.beneficiaryOf?.(header),
  }
}

/** The state after the parent of a block; undefined where the parent is not known. */
function parentStateOf(chain: ChainView, { header }: Block): MovingState | undefined {
  const parent = chain.parentOf(header)
  return parent && createMovingState(hostOf(requireBlockState(chain, parent)))
}

/** Runs the transactions of a block again and traces those that `watch` wants; undefined where the parent is not known. */
export function replay<T>(
  evms: Evms,
  chain: ChainView,
  block: Block,
  watch: (traced: TracedTx, context: TraceContext) => TxWatch<T> | undefined,
): T[] | undefined {
  const state = parentStateOf(chain, block)
  if (!state) return undefined
  const blockContext = replayContext(evms, chain, block.header)
  return evms.trace.apart(state, (evm) => {
    const context = movingTraceContext(evm, state, blockContext.rules)
    return traceTxs(evm, block, blockContext, (traced) => watch(traced, context))
  })
}

/** The state before a transaction of a block; undefined where the parent is not known. */
export function stateBefore(evms: Evms, chain: ChainView, block: Block, index: number): MovingState | undefined {
  const parentState = parentStateOf(chain, block)
  if (!parentState) return undefined
  const context = replayContext(evms, chain, block.header)
  return evms.progress.stateBefore(chain, block, index, parentState, (before, start) =>
    evms.fast.apart(before, (evm) => runBetween(evm, block, context, start, index)),
  )
}

/** Runs one transaction of a block again; those before it are run without being watched, which is much faster. */
export function replayOne<T>(
  evms: Evms,
  chain: ChainView,
  block: Block,
  index: number,
  watch: (traced: TracedTx, context: TraceContext) => TxWatch<T>,
): T | undefined {
  const tx = block.transactions[index]!
  const sender = senderOf(tx)
  const state = sender && stateBefore(evms, chain, block, index)
  if (!state) return undefined
  const blockContext = replayContext(evms, chain, block.header)
  const traced = { tx, sender, index }
  return evms.trace.apart(state, (evm) => {
    const context = movingTraceContext(evm, state, blockContext.rules)
    return traceTx(evm, block, blockContext, traced, () => watch(traced, context))
  })
}
