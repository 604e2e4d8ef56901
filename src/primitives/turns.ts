/** Shares one thread: work that takes long gives timers and sockets their turn of the event loop. */
export interface Turns {
  /**
   * Runs the work at once while this turn has time left, otherwise in a later turn; always in the order of the calls. The
   * work is told when it began.
   */
  run<T>(work: (began: number) => T | Promise<T>): T | Promise<T>
}

/** Milliseconds of work in one turn, after which further work waits for the next turn. */
const maxPerTurn = 20

export function createTurns(now: () => number = () => performance.now()): Turns {
  const waiting: (() => void)[] = []
  let spent = 0
  let scheduled = false

  function measured<T>(work: (began: number) => T): T {
    const began = now()
    try {
      return work(began)
    } finally {
      spent += now() - began
      if (spent >= maxPerTurn) endTurn()
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
    while (spent < maxPerTurn && waiting.length > 0) waiting.shift()!()
    if (waiting.length > 0) endTurn()
  }

  return {
    run(work) {
      if (spent < maxPerTurn && waiting.length === 0) return measured(work)
      return new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(measured(work))
          } catch (error) {
            reject(error)
          }
        })
        endTurn()
      })
    },
  }
}
