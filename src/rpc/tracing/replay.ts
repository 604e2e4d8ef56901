import type { ChainView } from '../../chain/view.ts'
import type { BlockContext } from '../../execution/applyBlock.ts'
import { type Ground, movingGround } from '../../execution/tracing/ground.ts'
import { createMovingState, type MovingState } from '../../execution/tracing/movingState.ts'
import { runBetween, type TracedTx, type TxWatch, traceTx, traceTxs } from '../../execution/tracing/traceTxs.ts'
import { zeroHash } from '../../primitives/bytes.ts'
import { findState } from '../../query/findState.ts'
import { standApart } from '../../query/standOn.ts'
import { createHost } from '../../state/createHost.ts'
import type { Block } from '../../types/block.ts'
import { senderOf } from '../../types/signTx.ts'
import type { EvmPort } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'

/** How far a block has been run: transactions of one block are often asked for one after the other. */
interface Progress {
  readonly chain: ChainView
  readonly block: Block
  /** The state before the transaction at `index`. */
  readonly state: MovingState
  readonly index: number
}

const lastProgress = new WeakMap<EvmPort, Progress>()

interface Start {
  readonly state: MovingState
  readonly context: BlockContext
}

function startOf(evm: EvmPort, chain: ChainView, { header }: Block): Start | undefined {
  const parent = chain.headerBy(header.parentHash)
  if (!parent) return undefined
  const base = findState(chain, parent)
  if (!base) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
  const beneficiary = evm.beneficiaryOf?.(header)
  // Only receipts would show the root.
  const terms = { spec: chain.spec, rules: chain.rulesOf(header), rootOf: () => zeroHash }
  const state = createMovingState(createHost(base, (number) => chain.hashAt(number)))
  return { state, context: beneficiary ? { ...terms, beneficiary } : terms }
}

/** Runs the transactions of a block again and traces those that `watch` wants; undefined where the parent is not known. */
export function replay<T>(
  evm: EvmPort,
  chain: ChainView,
  block: Block,
  watch: (traced: TracedTx, ground: Ground) => TxWatch<T> | undefined,
): T[] | undefined {
  const start = startOf(evm, chain, block)
  if (!start) return undefined
  const { state, context } = start
  standApart(evm.trace, state)
  const ground = movingGround(evm.trace, state, context.rules)
  return traceTxs(evm.trace, block, context, (traced) => watch(traced, ground))
}

/** The state before a transaction: goes on from where the last call for the same block came to. */
function stateBefore(
  evm: EvmPort,
  chain: ChainView,
  block: Block,
  index: number,
  { state: parentState, context }: Start,
): MovingState {
  const last = lastProgress.get(evm)
  const goesOn = last !== undefined && last.chain === chain && last.block === block && last.index <= index
  const state = goesOn ? last.state : parentState
  if (goesOn && last.index === index) return state
  standApart(evm.fast, state)
  // Should this fail, the state has not moved.
  state.advance(runBetween(evm.fast, block, context, goesOn ? last.index : 0, index))
  lastProgress.set(evm, { chain, block, state, index })
  return state
}

/** Runs one transaction of a block again; those before it are run without being watched, which is much faster. */
export function replayOne<T>(
  evm: EvmPort,
  chain: ChainView,
  block: Block,
  index: number,
  watch: (traced: TracedTx, ground: Ground) => TxWatch<T>,
): T | undefined {
  const tx = block.transactions[index]!
  const sender = senderOf(tx)
  const start = startOf(evm, chain, block)
  if (!start || !sender) return undefined
  const { context } = start
  const state = stateBefore(evm, chain, block, index, start)
  standApart(evm.trace, state)
  const ground = movingGround(evm.trace, state, context.rules)
  const traced = { tx, sender, index }
  return traceTx(evm.trace, block, context, traced, () => watch(traced, ground))
}
