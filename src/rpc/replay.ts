import type { ChainView, SealedHeader } from '../chain/view.ts'
import type { BlockContext } from '../execution/applyBlock.ts'
import { type BaseState, overlayHost } from '../execution/tracing/stateOverlay.ts'
import { runUpTo, type TracedTx, type TxWatch, traceTx, traceTxs } from '../execution/tracing/traceTxs.ts'
import type { Rules } from '../forks/rules.ts'
import { zeroHash } from '../primitives/bytes.ts'
import { findState } from '../query/findState.ts'
import { standOn } from '../query/standOn.ts'
import { createHost } from '../state/createHost.ts'
import type { StateView } from '../state/view.ts'
import type { Block } from '../types/block.ts'
import { senderOf } from '../types/signTx.ts'
import type { EvmPort } from './context.ts'
import { RpcError } from './fault.ts'

/** What a replay stands on. */
export interface Ground {
  readonly rules: Rules
  /** The state before the block. */
  readonly base: BaseState
}

interface Start {
  readonly parent: SealedHeader
  readonly base: StateView
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
  return { parent, base, context: beneficiary ? { ...terms, beneficiary } : terms }
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
  const { parent, base, context } = start
  standOn(evm.trace, chain, parent, base)
  return traceTxs(evm.trace, block, context, (traced) => watch(traced, { rules: context.rules, base }))
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
  const { parent, base, context } = start
  standOn(evm.fast, chain, parent, base)
  const changes = runUpTo(evm.fast, block, context, index)
  standOn(evm.trace, chain, parent, base)
  const host = overlayHost(
    createHost(base, (number) => chain.hashAt(number)),
    changes,
  )
  evm.trace.reset(host)
  const traced = { tx, sender, index }
  return traceTx(evm.trace, block, context, traced, () => watch(traced, { rules: context.rules, base: host }))
}
