import type { StoreDelegate } from '../../store/store.ts'

// Two threads write to a store, one at a time: the owner of a store, who may want to at any moment and waits then, and one that writes for it.

/**
 * Two numbers that both threads see: what the owner wants, which is new each time, and what the delegate has answered last. It
 * answers a request to rest by the same number, rests, and goes on when the owner wants something else.
 */
export type Handshake = Int32Array

const places = { request: 0, answer: 1 } as const
/** The last two bits of a request. */
const kinds = { goOn: 0, rest: 1, unmap: 2 } as const
/** The answer of a delegate that will never answer. */
const hasEnded = -1
/** Milliseconds that the delegate may take for what it has begun. */
const patience = 120_000

export function createHandshake(): Handshake {
  return new Int32Array(new SharedArrayBuffer(8))
}

/** The delegate, as its owner sees it; `wake` has it look for a request. */
export function delegateOf(handshake: Handshake, wake: () => void): StoreDelegate {
  let holds = 0

  function want(kind: number): number {
    const request = (holds << 2) | kind
    Atomics.store(handshake, places.request, request)
    Atomics.notify(handshake, places.request)
    return request
  }

  return {
    hold(unmaps) {
      holds++
      const request = want(unmaps ? kinds.unmap : kinds.rest)
      wake()
      for (;;) {
        const answer = Atomics.load(handshake, places.answer)
        if (answer === request || answer === hasEnded) return
        if (Atomics.wait(handshake, places.answer, answer, patience) === 'timed-out')
          throw new Error('the thread that imports blocks does not answer')
      }
    },
    release: () => void want(kinds.goOn),
  }
}

function answer(handshake: Handshake, request: number): void {
  Atomics.store(handshake, places.answer, request)
  Atomics.notify(handshake, places.answer)
}

/** Rests for as long as the owner wants, after `rest` has brought everything to disk. */
export function giveWay(handshake: Handshake, rest: (unmaps: boolean) => void): void {
  for (;;) {
    const request = Atomics.load(handshake, places.request)
    const kind = request & 3
    if (kind === kinds.goOn) return
    if (Atomics.load(handshake, places.answer) !== request) {
      rest(kind === kinds.unmap)
      answer(handshake, request)
    }
    Atomics.wait(handshake, places.request, request)
  }
}

/** Says that the delegate has ended: nobody waits for it any more. */
export function endHandshake(handshake: Handshake): void {
  answer(handshake, hasEnded)
}
