import type { Hex } from 'viem'

/** A call as debug_traceTransaction's callTracer returns it. */
export interface CallFrame {
  readonly type: string
  readonly from: Hex
  readonly to?: Hex
  readonly value?: Hex
  readonly gas: Hex
  readonly gasUsed: Hex
  readonly input: Hex
  readonly output?: Hex
  readonly error?: string
  readonly revertReason?: string
  readonly calls?: readonly CallFrame[]
}

/** A call with its place in the tree: `[]` is the transaction itself, `[0, 2]` the third call of its first call. */
export interface CallRow {
  readonly path: readonly number[]
  readonly frame: CallFrame
  readonly gasUsed: number
  /** Gas used by the frame without its calls. */
  readonly ownGas: number
}

/** Lists a tree of calls in the order of their start. */
export function listCalls(frame: CallFrame, path: readonly number[] = []): readonly CallRow[] {
  const calls = frame.calls ?? []
  const gasUsed = Number(frame.gasUsed)
  const ownGas = Math.max(0, gasUsed - calls.reduce((sum, call) => sum + Number(call.gasUsed), 0))
  return [{ path, frame, gasUsed, ownGas }, ...calls.flatMap((call, i) => listCalls(call, [...path, i]))]
}
