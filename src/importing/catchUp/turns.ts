import type { Borrower } from '../../store/openStore.ts'

// Two threads write in turns: the owner of a store, who may want to at any moment and waits then, and one that it has lent the store to.

/**
 * Two numbers that both threads see: what the owner wants, which is new each time, and what the borrower has answered last. It
 * answers a wish to rest by the same number, rests, and goes on when the owner wants something else.
 */
export type Turns = Int32Array

const places = { wish: 0, answer: 1 } as const
/** The last two bits of a wish. */
const kinds = { goOn: 0, rest: 1, letGo: 2 } as const
/** The answer of a borrower that will never answer. */
const hasEnded = -1
/** Milliseconds that the borrower may take for what it has begun. */
const patience = 120_000

export function createTurns(): Turns {
  return new Int32Array(new SharedArrayBuffer(8))
}

/** The borrower, as its owner sees it; `wake` has it look for a wish. */
export function borrowerOf(turns: Turns, wake: () => void): Borrower {
  let holds = 0

  function want(kind: number): number {
    const wish = (holds << 2) | kind
    Atomics.store(turns, places.wish, wish)
    Atomics.notify(turns, places.wish)
    return wish
  }

  return {
    hold(letsGo) {
      holds++
      const wish = want(letsGo ? kinds.letGo : kinds.rest)
      wake()
      for (;;) {
        const answer = Atomics.load(turns, places.answer)
        if (answer === wish || answer === hasEnded) return
        if (Atomics.wait(turns, places.answer, answer, patience) === 'timed-out')
          throw new Error('the thread that imports blocks does not answer')
      }
    },
    release: () => void want(kinds.goOn),
  }
}

function answer(turns: Turns, wish: number): void {
  Atomics.store(turns, places.answer, wish)
  Atomics.notify(turns, places.answer)
}

/** Rests for as long as the owner wants, after `rest` has brought everything to disk. */
export function giveWay(turns: Turns, rest: (letsGo: boolean) => void): void {
  for (;;) {
    const wish = Atomics.load(turns, places.wish)
    const kind = wish & 3
    if (kind === kinds.goOn) return
    if (Atomics.load(turns, places.answer) !== wish) {
      rest(kind === kinds.letGo)
      answer(turns, wish)
    }
    Atomics.wait(turns, places.wish, wish)
  }
}

/** Says that the borrower has ended: nobody waits for it any more. */
export function endTurns(turns: Turns): void {
  answer(turns, hasEnded)
}
