import type { ChainView, HashedBlock } from '../../chain/view.ts'
import type { Evm } from '../../evm/evm.ts'
import { startBlock } from '../../execution/applyBlock.ts'
import { zeroHash } from '../../primitives/bytes.ts'
import { findState } from '../../query/findState.ts'
import { standOn } from '../../query/standOn.ts'
import type { StateView } from '../../state/view.ts'
import { senderOf } from '../../types/signTx.ts'
import type { EvmPort } from '../protocol/context.ts'

/** A block under way: an engine that has run some of its transactions, and the state that it started from. */
export interface InsideBlock {
  readonly evm: Evm
  readonly parentState: StateView
}

/** Runs the first `count` transactions of a block; undefined where the state before it is not kept. */
export function runFirst(
  evm: EvmPort,
  chain: ChainView,
  { header, block }: HashedBlock,
  count: number,
): InsideBlock | undefined {
  const parent = chain.headerBy(header.parentHash)
  const parentState = parent && findState(chain, parent)
  if (!parent || !parentState) return undefined
  const engine = evm.fast
  standOn(engine, chain, parent, parentState)
  const beneficiary = evm.beneficiaryOf?.(header)
  const run = startBlock(engine, block, {
    spec: chain.spec,
    rules: chain.rulesOf(header),
    // Only receipts would show it.
    rootOf: () => zeroHash,
    ...(beneficiary && { beneficiary }),
  })
  for (const tx of block.transactions.slice(0, count)) run.add(tx, senderOf(tx))
  return { evm: engine, parentState }
}
