import type { HashedHeader } from '../../chain/view.ts'
import { createKeyCaution, type KeyCaution, silentPatience } from '../producing/keyCaution.ts'
import type { RestoredRecord } from './bftRecord.ts'
import type { BftEffect, BftMachineParts } from './machine.ts'

/** When a validator says nothing because its key has signed what its record does not know of. */
export interface Silence extends Pick<KeyCaution, 'relent'> {
  /** Looks at the chain up to a head; if nothing may be said on it, the machine is woken should the chain stand still. */
  holdsOn(head: HashedHeader, validators: number, signed: RestoredRecord): boolean
}

type SilenceParts = Pick<BftMachineParts, 'findForeign' | 'random' | 'requestTimeoutSeconds'> & {
  readonly emit: (effect: BftEffect) => void
}

const later = (a: bigint, b: bigint) => (a > b ? a : b)

/** The last height at which a record says that something may have been signed. */
export const endOf = ({ record, closedHeight }: RestoredRecord): bigint => record?.height ?? closedHeight

export function createSilence(parts: SilenceParts, restored: RestoredRecord): Silence {
  const { findForeign, random = () => 0, requestTimeoutSeconds, emit } = parts
  const before = endOf(restored)
  const caution = createKeyCaution({
    random,
    onSilence: (upTo, because) => emit({ type: 'silence', upTo, because }),
  })
  return {
    relent: caution.relent,
    holdsOn(head, validators, signed) {
      const { number } = head.header
      const find = (seen: bigint) => findForeign?.(head, later(endOf(signed), seen), later(before, seen))
      if (!caution.isSilentOn(number, validators, find)) return false
      const due = { after: silentPatience(requestTimeoutSeconds * 1000) }
      emit({ type: 'timer', timer: { kind: 'block', height: number + 1n }, due })
      return true
    },
  }
}
