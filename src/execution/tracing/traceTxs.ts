import type { Engine } from '../../evm/engine.ts'
import type { Halt } from '../../evm/message.ts'
import type { Tracer } from '../../evm/tracer.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Block } from '../../types/block.ts'
import { senderOf } from '../../types/signTx.ts'
import type { Tx } from '../../types/transaction.ts'
import { type BlockContext, startBlock } from '../applyBlock.ts'
import { BlockError, TxError } from '../fault.ts'

/** How a traced transaction ended. */
export interface TracedOutcome {
  readonly status: 0 | 1
  readonly halt: Halt
  readonly output: Uint8Array
  readonly gasUsed: bigint
}

/** Watches one transaction: made before it runs, asked when it has. */
export interface TxWatch<T> {
  readonly tracer: Tracer | undefined
  finish(outcome: TracedOutcome): T
}

/** A transaction that is about to be traced. */
export interface TracedTx {
  readonly tx: Tx
  readonly sender: Address
  readonly index: number
}

/**
 * Runs the transactions of a block, on an engine that stands on its parent's state, and traces those that `watch` wants.
 * Nothing after the last of them is run where `count` says how many there are.
 */
export function traceTxs<T>(
  engine: Engine,
  block: Block,
  context: BlockContext,
  watch: (traced: TracedTx) => TxWatch<T> | undefined,
  count = block.transactions.length,
): T[] {
  const traces: T[] = []
  engine.setTracer(undefined)
  try {
    const run = startBlock(engine, block, context)
    for (let index = 0; index < count; index++) {
      const tx = block.transactions[index]!
      const sender = senderOf(tx)
      const watched = sender && watch({ tx, sender, index })
      engine.setTracer(watched?.tracer)
      const outcome = run.add(tx, sender)
      engine.setTracer(undefined)
      if (watched) traces.push(watched.finish(outcome))
    }
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    throw new BlockError({ code: 'TRANSACTION_INVALID', index: traces.length, reason: error.at.code }, error)
  } finally {
    engine.setTracer(undefined)
  }
  return traces
}
