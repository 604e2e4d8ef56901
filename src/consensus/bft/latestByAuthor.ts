import { keyOf } from '../../primitives/bytes.ts'
import type { BftView, Signed } from './messages.ts'

/** The latest message of each author: whoever has moved on does not come back. Bounded by the number of validators. */
export interface LatestByAuthor<M> {
  /** False when something at least as late is known. */
  add(message: M): boolean
  ofRound(round: number): readonly M[]
  /** The rounds that authors are in. */
  rounds(): readonly number[]
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
    rounds: () => [...messages.values()].map(roundOf),
  }
}
