import type { HashedHeader } from '../../chain/view.ts'
import { blockPeriodOf } from '../../forks/bftTransitions.ts'
import { createKeyCaution, type KeyCaution, listeningPatience, silentPatience } from '../producing/keyCaution.ts'
import type { RestoredRecord } from './bftRecord.ts'
import type { BftEffect, BftMachineParts } from './machine.ts'

/** When a validator says nothing because its key has signed what its record does not know of. */
export interface Silence extends Pick<KeyCaution, 'relent'> {
  /** The machine follows this head. */
  follow(head: HashedHeader): void
  /** Whether a word of another at a height would be a reason to be silent. */
  isAlert(height: bigint): boolean
  /** Somebody else has said something with the key, at a height that so many decide on. Returns whether nothing more may be said at it, which was not known. */
  hear(height: bigint, validators: number): boolean
  /** Looks at the chain up to a head; if nothing may be said on it, the machine is woken should the chain stand still. */
  holdsOn(head: HashedHeader, decides: Decides, signed: RestoredRecord): boolean
}

/** Who decides on the next block. */
export interface Decides {
  readonly validators: number
  /** Whether this validator is to propose it. */
  readonly isMine: boolean
}

type SilenceParts = Pick<BftMachineParts, 'findForeign' | 'from' | 'random' | 'requestTimeoutSeconds' | 'timingAt'> & {
  readonly emit: (effect: BftEffect) => void
}

/** Heights for which a validator listens that was away: it hears each word of another that has its key, wherever that is connected. */
const listened = 2

const later = (a: bigint, b: bigint) => (a > b ? a : b)

/** The last height at which a record says that something may have been signed. */
export const endOf = ({ record, closedHeight }: RestoredRecord): bigint => record?.height ?? closedHeight

export function createSilence(parts: SilenceParts, restored: RestoredRecord): Silence {
  const { findForeign, from = 1n, random = () => 0, requestTimeoutSeconds, timingAt, emit } = parts
  const before = endOf(restored)
  const caution = createKeyCaution({
    random,
    onSilence: (upTo, because) => emit({ type: 'silence', upTo, because }),
  })
  /** The first head that was followed, until the caution knows of it. */
  let first: bigint | undefined
  let hasBegun = false
  /** The last head on which nothing was said for a reason. */
  let quietOn = -2n

  /** Listens if the chain has gone on without this validator: while it did not run, or was cut off for two turns of all. */
  function begin(number: bigint, validators: number, end: bigint): void {
    const isFirst = !hasBegun && number === first
    hasBegun = true
    const isBack = end > 0n && number > later(end, quietOn) + BigInt(2 * validators)
    if (isFirst) caution.listen(number, validators, number > before && number >= from ? listened : 0)
    else if (isBack) caution.listen(number, validators, listened)
  }

  const isAlert = (height: bigint) => findForeign !== undefined && height > before && caution.isYoung(height)

  return {
    relent: caution.relent,
    isAlert,
    follow({ header }) {
      first ??= header.number
    },
    hear: (height, validators) => validators > 1 && isAlert(height) && caution.suspect(height, validators),
    holdsOn(head, { validators, isMine }, signed) {
      const { number } = head.header
      if (!findForeign || validators < 2) return false
      begin(number, validators, endOf(signed))
      const find = (seen: bigint) => findForeign(head, later(endOf(signed), seen), later(before, seen))
      // The first word after a silence is not a proposal: another that speaks again at the same height is heard before it could contradict.
      const isFirstWord = quietOn === number - 1n
      if (!caution.isSilentOn(number, validators, find) && !(isFirstWord && isMine)) return false
      quietOn = number
      const round = requestTimeoutSeconds * 1000
      const patience = listeningPatience(blockPeriodOf(timingAt(number + 1n)))
      // The others wait for a proposal that does not come, and go on without it.
      const after = caution.isDoubtful(number)
        ? silentPatience(round)
        : isMine
          ? Math.max(patience, 1.5 * round)
          : patience
      emit({ type: 'timer', timer: { kind: 'block', height: number + 1n }, due: { after } })
      return true
    },
  }
}
