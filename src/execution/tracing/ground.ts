import type { Engine } from '../../evm/engine.ts'
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
export function movingGround(engine: Engine, state: MovingState, rules: Rules): Ground {
  return {
    rules,
    before() {
      state.advance(engine.changes())
      engine.flushed()
      return createStateOverlay(state, noChanges)
    },
    after: () => createStateOverlay(state, engine.changes()),
  }
}

/** For an engine that stands on the base all the time. */
export function fixedGround(engine: Engine, base: BaseState, rules: Rules): Ground {
  const now = () => createStateOverlay(base, engine.changes())
  return { rules, before: now, after: now }
}
