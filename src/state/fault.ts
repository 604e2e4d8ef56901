import { Fault } from '../primitives/fault.ts'

/** Why a state cannot be read. */
export type StateFault =
  /** The state of `block` was deleted; `floor` is the oldest block whose state is kept. */
  { code: 'STATE_PRUNED'; block: number; floor: number }

/** Thrown when a state is opened that was deleted. */
export class StateError extends Fault<StateFault> {}
