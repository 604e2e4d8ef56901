import type { Evm } from '../../evm/evm.ts'
import type { Rules } from '../../forks/rules.ts'
import { noChanges } from '../../types/stateChanges.ts'
import type { MovingState } from './movingState.ts'
import { type BaseState, createStateOverlay, type StateOverlay } from './stateOverlay.ts'

/** What a traced transaction stands on. */
export interface Ground {
  readonly rules: Rules
  /** The state, asked for before the transaction runs. */
  before(): StateOverlay
  /** The state, asked for when it has run. */
  after(): StateOverlay
}

/** For an engine whose host moves on with it: a transaction costs what it changed, wherever in its block it stands. */
export function movingGround(evm: Evm, state: MovingState, rules: Rules): Ground {
  return {
    rules,
    before() {
      state.advance(evm.changes())
      evm.flushed()
      return createStateOverlay(state, noChanges)
    },
    after: () => createStateOverlay(state, evm.changes()),
  }
}

/** For an engine that stands on the base all the time. */
export function fixedGround(evm: Evm, base: BaseState, rules: Rules): Ground {
  const now = () => createStateOverlay(base, evm.changes())
  return { rules, before: now, after: now }
}
