import type { HashedBlock } from '../../chain/view.ts'
import { type CallFrame, createCallTracer } from '../../execution/tracing/callTracer.ts'
import type { TxWatch } from '../../execution/tracing/traceTxs.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import type { Tx } from '../../types/transaction.ts'
import type { RpcContext } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'
import { replay, replayOne } from './replay.ts'

type Ports = Pick<RpcContext, 'chain' | 'evms'>

/** A mined transaction, and its block. */
export interface MinedTx {
  readonly hashed: HashedBlock
  readonly index: number
}

/** The canonical transaction of a hash; throws TRANSACTION_NOT_FOUND if there is none. */
export function requireTx({ chain }: Pick<RpcContext, 'chain'>, hash: Hash32): MinedTx {
  const place = chain.findTx(hash)
  const hashed = place && chain.blockAt(place.blockNumber)
  if (!hashed) throw new RpcError({ code: 'TRANSACTION_NOT_FOUND' })
  return { hashed, index: place.index }
}

function watchCalls({ gasLimit }: Tx): TxWatch<CallFrame | undefined> {
  return createCallTracer(gasLimit, { onlyTopCall: false, withLog: false })
}

/** The tree of calls of a mined transaction; undefined where it could not even start. */
export function callTreeOf({ chain, evms }: Ports, { hashed, index }: MinedTx): CallFrame | undefined {
  return replayOne(evms, chain, hashed.block, index, ({ tx }) => watchCalls(tx))
}

/** Those of all transactions of a block, by their indexes. */
export function callTreesOf({ chain, evms }: Ports, { block }: HashedBlock): readonly (CallFrame | undefined)[] {
  return replay(evms, chain, block, ({ tx }) => watchCalls(tx)) ?? []
}

/** A frame and how deep it lies: 0 for the transaction itself. */
export interface PlacedFrame {
  readonly frame: CallFrame
  readonly depth: number
}

/** The frames of a tree in the order in which they began. */
export function* framesOf(frame: CallFrame | undefined, depth = 0): Iterable<PlacedFrame> {
  if (!frame) return
  yield { frame, depth }
  for (const inner of frame.calls) yield* framesOf(inner, depth + 1)
}
