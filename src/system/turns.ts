/** Shares one thread: work that takes long gives timers and sockets their turn of the event loop. */
export interface Turns {
  /** Runs the work at once while this turn has time left, otherwise in a later turn, after what waits already. */
  run<T>(work: () => T | Promise<T>): T | Promise<T>
  /** Whether further work has to wait for a later turn. */
  isOver(): boolean
  /** Runs the work in a later turn, after what waits already. The work itself says what it spends. */
  later<T>(work: () => T | Promise<T>): Promise<T>
  /** Counts work that was done in this turn. */
  spend(milliseconds: number): void
}

/** Milliseconds of work in one turn, after which further work waits for the next turn. */
const usualPerTurn = 20

export function createTurns(now: () => number = () => performance.now(), maxPerTurn = usualPerTurn): Turns {
  const waiting: (() => void)[] = []
  let spent = 0
  let scheduled = false

  // What waits does not matter: while a turn has time left, it is being run.
  const isOver = () => spent >= maxPerTurn

  function spend(milliseconds: number): void {
    spent += milliseconds
    if (spent >= maxPerTurn) endTurn()
  }

  function measured<T>(work: () => T): T {
    const began = now()
    try {
      return work()
    } finally {
      spend(now() - began)
    }
  }

  function endTurn(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(nextTurn)
  }

  function nextTurn(): void {
    scheduled = false
    spent = 0
    runNext()
  }

  /** Piece by piece, so that the answer of one is sent before the next begins: unsent answers would pile up in memory. */
  function runNext(): void {
    if (waiting.length === 0) return
    if (spent >= maxPerTurn) {
      endTurn()
      return
    }
    waiting.shift()!()
    // A tick that is asked for in a microtask comes after all microtasks.
    queueMicrotask(() => process.nextTick(runNext))
  }

  function later<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
      endTurn()
    })
  }

  return {
    run: (work) => (isOver() ? later(() => measured(work)) : measured(work)),
    isOver,
    later,
    spend,
  }
}
