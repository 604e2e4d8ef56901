import { Fault } from '../primitives/fault.ts'

/** Why a state cannot be read. */
export type StateFault = { code: 'STATE_PRUNED'; block: number; floor: number }
export class StateError extends Fault<StateFault> {}
