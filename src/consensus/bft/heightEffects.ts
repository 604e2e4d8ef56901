import type { Address } from '../../primitives/bytes.ts'
import type { Due } from '../producing/timers.ts'
import type { BftHeightParts } from './bftHeight.ts'
import type { BlockFlaw } from './machine.ts'

/** The effects of one height, messages aside. */
export interface HeightEffects {
  /** Wakes the machine when a block is due. */
  wake(due: Due): void
  limitRound(round: number, after: number): void
  limitTurn(round: number, after: number): void
  invalid(kind: 'proposal' | 'roundChange', author: Address, round: number, flaw: BlockFlaw): void
  turn(author: Address, isTaken: boolean): void
}

export function createHeightEffects(height: bigint, emit: BftHeightParts['emit']): HeightEffects {
  return {
    wake: (due) => emit({ type: 'timer', timer: { kind: 'block', height }, due }),
    limitRound: (round, after) => emit({ type: 'timer', timer: { kind: 'round', height, round }, due: { after } }),
    limitTurn: (round, after) => emit({ type: 'timer', timer: { kind: 'turn', height, round }, due: { after } }),
    invalid: (kind, author, round, flaw) => emit({ type: 'invalid', kind, author, height, round, flaw }),
    turn: (author, isTaken) => emit({ type: 'turn', author, height, isTaken }),
  }
}
