import type { ChainView } from '../chain/view.ts'
import type { BaseState } from '../execution/tracing/stateOverlay.ts'
import { type TracedTx, type TxWatch, traceTxs } from '../execution/tracing/traceTxs.ts'
import type { Rules } from '../forks/rules.ts'
import { zeroHash } from '../primitives/bytes.ts'
import { findState } from '../query/findState.ts'
import { standOn } from '../query/standOn.ts'
import type { Block } from '../types/block.ts'
import type { EvmPort } from './context.ts'
import { RpcError } from './fault.ts'

/** What a replay stands on. */
export interface Ground {
  readonly rules: Rules
  /** The state before the block. */
  readonly base: BaseState
}

/**
 * Runs the transactions of a block again, the first `count` of them or all, and traces those that `watch` wants.
 * Undefined where the parent is not known.
 */
export function replay<T>(
  evm: EvmPort,
  chain: ChainView,
  block: Block,
  watch: (traced: TracedTx, ground: Ground) => TxWatch<T> | undefined,
  count?: number,
): T[] | undefined {
  const { header } = block
  const parent = chain.headerBy(header.parentHash)
  if (!parent) return undefined
  const base = findState(chain, parent)
  if (!base) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
  standOn(evm.trace, chain, parent, base)
  const rules = chain.rulesOf(header)
  const beneficiary = evm.beneficiaryOf?.(header)
  // Only receipts would show the root.
  const context = { spec: chain.spec, rules, rootOf: () => zeroHash, ...(beneficiary && { beneficiary }) }
  return traceTxs(evm.trace, block, context, (traced) => watch(traced, { rules, base }), count)
}
