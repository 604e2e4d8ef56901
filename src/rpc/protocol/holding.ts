import type { Answer, Hold, Reply } from './dispatcher.ts'

/**
 * Holds the view of the chain until the reply is complete: pieces of a long one are read while the client takes them. It is
 * called in the turn of the event loop in which the answer began, so no head came between, and a reply that is there as a
 * whole needs no hold.
 */
export function holding(hold: Hold, answer: Answer): Answer {
  if (!(answer instanceof Promise)) return isWhole(answer) ? answer : releasing(answer, hold())
  const release = hold()
  return answer.then((reply) => releasing(reply, release))
}

function releasing(reply: Reply, release: () => void): Reply {
  if (isWhole(reply)) {
    release()
    return reply
  }
  const { status, body } = reply
  return { status, body: releasingAfter(body, release) }
}

const isWhole = ({ body }: Reply): boolean => typeof body === 'string'

function* releasingAfter(pieces: Iterable<string>, release: () => void): Generator<string> {
  try {
    yield* pieces
  } finally {
    release()
  }
}
