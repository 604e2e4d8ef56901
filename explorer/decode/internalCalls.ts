import type { Hex } from 'viem'
import { type CallFrame, type CallRow, listCalls } from './callTree.ts'

/** A call that a contract made, and whether it, or one above it, failed: then it had no effect. */
export interface InternalCall extends CallRow {
  readonly failed: boolean
}

/** The calls that contracts made from or to an account: all but the one that the transaction itself is. */
export function internalCallsOf(trace: CallFrame, account: Hex): readonly InternalCall[] {
  const rows = listCalls(trace)
  const failed = rows.filter(({ frame }) => frame.error !== undefined).map(({ path }) => path)
  const isIn = (path: readonly number[], above: readonly number[]) => above.every((at, i) => path[i] === at)
  const is = (one: Hex | undefined) => one?.toLowerCase() === account.toLowerCase()
  return rows
    .filter(({ frame, path }) => path.length > 0 && (is(frame.from) || is(frame.to)))
    .map((row) => ({ ...row, failed: failed.some((above) => isIn(row.path, above)) }))
}
