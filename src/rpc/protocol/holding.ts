import { andThen } from '../../primitives/andThen.ts'
import type { Answer, Hold, Reply } from './dispatch.ts'

/** Holds the view of the chain until the reply is complete: pieces of a long one are read while the client takes them. */
export function holding(hold: Hold, start: () => Answer): Answer {
  const release = hold()
  return andThen(start(), (reply) => releasing(reply, release))
}

function releasing(reply: Reply, release: () => void): Reply {
  const { status, body } = reply
  if (typeof body !== 'string') return { status, body: releasingAfter(body, release) }
  release()
  return reply
}

function* releasingAfter(pieces: Iterable<string>, release: () => void): Generator<string> {
  try {
    yield* pieces
  } finally {
    release()
  }
}
