import type { ForkName } from '../../src/forks/table.ts'
import type { Frame } from './frame.ts'
import type { Machine } from './machine.ts'

/** Gas of the opcode itself: one figure, or the figure that each named fork changed it to. */
export type GasByFork = bigint | Partial<Record<ForkName, bigint>>

/** One opcode: when it came, what it takes from and gives to the stack, what it costs, what it does. */
export interface Opcode {
  readonly byte: number
  readonly name: string
  readonly since: ForkName
  readonly takes: number
  readonly gives: number
  readonly gas: GasByFork
  readonly run: (frame: Frame, machine: Machine) => void
}

/** [byte, name, takes, gives, gas, run, since (Frontier unless said)] */
export function opcode(
  byte: number,
  name: string,
  takes: number,
  gives: number,
  gas: GasByFork,
  run: Opcode['run'],
  since: ForkName = 'frontier',
): Opcode {
  return { byte, name, takes, gives, gas, run, since }
}
