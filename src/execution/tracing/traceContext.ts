import type { Evm } from '../../evm/evm.ts'
import type { Rules } from '../../forks/rules.ts'
import { noChanges } from '../../types/stateChanges.ts'
import type { MovingState } from './movingState.ts'
import { type BaseState, createStateOverlay, type StateOverlay } from './stateOverlay.ts'

/** The interpreter that runs a traced transaction, and the state before and after it. */
export interface TraceContext {
  readonly evm: Evm
  readonly rules: Rules
  /** Must be called before the transaction runs. */
  before(): StateOverlay
  /** Must be called when the transaction has run. */
  after(): StateOverlay
}

/** For a host that moves on with the interpreter: a transaction costs what it changed, wherever in its block it is. */
export function movingTraceContext(evm: Evm, state: MovingState, rules: Rules): TraceContext {
  return {
    evm,
    rules,
    before() {
      state.advance(evm.changes())
      evm.flushed()
      return createStateOverlay(state, noChanges)
    },
    after: () => createStateOverlay(state, evm.changes()),
  }
}

/** For a host that stays the same. */
export function fixedTraceContext(evm: Evm, base: BaseState, rules: Rules): TraceContext {
  const now = () => createStateOverlay(base, evm.changes())
  return { evm, rules, before: now, after: now }
}
