import { type Address, equalBytes, keyOf } from '../../primitives/bytes.ts'
import type { BftEncoding } from './messageEncoding.ts'

/** In which encoding a validator writes. */
export interface SeenEncoding {
  readonly author: Address
  /** Who sent it: the author itself, or one who passed it on. */
  readonly from: Address | undefined
  readonly encoding: BftEncoding
}

/** Decides in which encodings messages are written to each validator. */
export interface PeerEncodings {
  /** A validator has written something. */
  note(seen: SeenEncoding): void
  /** A connection to a validator has opened: it may run another version than before. */
  link(peer: Address): void
  /** The encodings in which a message goes to a peer; both for one that has not written itself yet. */
  to(peer: Address): readonly BftEncoding[]
}

/** The one that is sent last is what another Quoin answers in: it needs no rewriting here. */
const both: readonly BftEncoding[] = ['accessList', 'legacy']

interface Known {
  /** What came from the validator itself. */
  direct: BftEncoding | undefined
  /** What others passed on of it. */
  passedOn: BftEncoding | undefined
}

/**
 * Each peer gets what it writes itself, which every version of Besu can read; what its writing does not tell yet, and what it passes
 * on to validators that are not connected to this one, is written in both encodings. `fixed` is written to all, whatever they write.
 */
export function createPeerEncodings(
  fixed: BftEncoding | undefined,
  validators: () => readonly Address[],
): PeerEncodings {
  const known = new Map<string, Known>()
  const knownOf = (author: Address) => known.get(keyOf(author))

  /** What validators write of whom only others bring words. */
  function* remote(): Generator<BftEncoding> {
    for (const validator of validators()) {
      const one = knownOf(validator)
      if (one && !one.direct && one.passedOn) yield one.passedOn
    }
  }

  /** Forgets those who are not validators any more. */
  function prune(): void {
    const current = validators()
    if (known.size <= 2 * current.length) return
    const keys = new Set(current.map(keyOf))
    for (const key of known.keys()) if (!keys.has(key)) known.delete(key)
  }

  return {
    note({ author, from, encoding }) {
      const one = knownOf(author) ?? { direct: undefined, passedOn: undefined }
      if (from && equalBytes(author, from)) one.direct = encoding
      else one.passedOn = encoding
      known.set(keyOf(author), one)
      prune()
    },
    link: (peer) => void known.delete(keyOf(peer)),
    to(peer) {
      if (fixed) return [fixed]
      const direct = knownOf(peer)?.direct
      if (!direct) return both
      const wanted = new Set([direct, ...remote()])
      return wanted.size === 1 ? [direct] : both
    },
  }
}
