import { keyOf } from '../../primitives/bytes.ts'
import type { BftView, Signed } from './messages.ts'

/** The message of the latest round of each author; its size is bounded by the number of validators. */
export interface LatestByAuthor<M> {
  /** Returns false if a message of the same or a later round is known from this author. */
  add(message: M): boolean
  ofRound(round: number): readonly M[]
  all(): readonly M[]
}

export function createLatestByAuthor<M extends { readonly signed: Signed<BftView> }>(): LatestByAuthor<M> {
  const messages = new Map<string, M>()
  const roundOf = ({ signed }: M) => signed.payload.round
  return {
    add(message) {
      const author = keyOf(message.signed.author)
      const known = messages.get(author)
      if (known && roundOf(known) >= roundOf(message)) return false
      messages.set(author, message)
      return true
    },
    ofRound: (round) => [...messages.values()].filter((message) => roundOf(message) === round),
    all: () => [...messages.values()],
  }
}
