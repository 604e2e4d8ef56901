import type { Evm } from '../../evm/evm.ts'
import type { Tracer } from '../../evm/tracer.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Block } from '../../types/block.ts'
import { senderOf } from '../../types/signTx.ts'
import type { StateChanges } from '../../types/stateChanges.ts'
import type { Tx } from '../../types/transaction.ts'
import { type BlockContext, enterBlock, startBlock } from '../applyBlock.ts'
import { applyTx } from '../applyTx.ts'
import { BlockError, TxError } from '../fault.ts'
import type { TxOutcome } from '../runTx.ts'

/** Watches one transaction: made before it runs, asked when it has. */
export interface TxWatch<T> {
  readonly tracer: Tracer | undefined
  finish(outcome: TxOutcome): T
}

/** A transaction that is about to be traced. */
export interface TracedTx {
  readonly tx: Tx
  readonly sender: Address
  readonly index: number
}

function refuse(error: unknown, index: number): never {
  if (!(error instanceof TxError)) throw error
  throw new BlockError({ code: 'TRANSACTION_INVALID', index, reason: error.at.code }, error)
}

/** Runs all transactions of a block, on an interpreter that has its parent's state, and traces those that `watch` wants. */
export function traceTxs<T>(
  evm: Evm,
  block: Block,
  context: BlockContext,
  watch: (traced: TracedTx) => TxWatch<T> | undefined,
): T[] {
  const traces: T[] = []
  evm.setTracer(undefined)
  let index = 0
  try {
    const run = startBlock(evm, block, context)
    for (const tx of block.transactions) {
      const sender = senderOf(tx)
      const watched = sender && watch({ tx, sender, index })
      evm.setTracer(watched?.tracer)
      const outcome = run.add(tx, sender)
      evm.setTracer(undefined)
      if (watched) traces.push(watched.finish(outcome))
      index++
    }
  } catch (error) {
    refuse(error, index)
  } finally {
    evm.setTracer(undefined)
  }
  return traces
}

/**
 * Runs some transactions of a block, on an interpreter that has the state that those before them left: for the first
 * one, that of the block's parent.
 */
export function runBetween(evm: Evm, block: Block, context: BlockContext, start: number, end: number): StateChanges {
  let at = start
  try {
    if (start === 0) startBlock(evm, block, context)
    const txContext = enterBlock(evm, block, context)
    for (; at < end; at++) applyTx(evm, block.transactions[at]!, senderOf(block.transactions[at]!), txContext)
  } catch (error) {
    refuse(error, at)
  }
  return evm.changes()
}

/** Runs one transaction of a block, on an interpreter that has the state that those before it left. */
export function traceTx<T>(
  evm: Evm,
  block: Block,
  context: BlockContext,
  { tx, sender, index }: TracedTx,
  watch: () => TxWatch<T>,
): T {
  evm.setTracer(undefined)
  const txContext = enterBlock(evm, block, context)
  const { tracer, finish } = watch()
  evm.setTracer(tracer)
  try {
    return finish(applyTx(evm, tx, sender, txContext))
  } catch (error) {
    refuse(error, index)
  } finally {
    evm.setTracer(undefined)
  }
}
