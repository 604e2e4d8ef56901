import type { Clock } from '../../primitives/clock.ts'

/** Milliseconds that work goes on for at a time. */
const sliceTime = 40

/** Work that is done bit by bit, so that the node stays responsive. */
export interface Slices {
  /**
   * Calls `slice` again and again until it says that it is done, then `then`. It is to return when `goOn` says no more;
   * between the calls everybody else has as long as it took. An exception ends the work and goes to `failed`.
   */
  run(slice: (goOn: () => boolean) => boolean, then: () => void, failed: (error: unknown) => void): void
  /** Gives up what is under way. */
  stop(): void
}

/** One piece of work at a time: a further one takes the place of what is under way. */
export function createSlices(clock: Clock): Slices {
  let cancel: (() => void) | undefined

  function stop(): void {
    cancel?.()
    cancel = undefined
  }

  return {
    stop,
    run(slice, then, failed) {
      const work = (): void => {
        const began = clock.now()
        let done: boolean
        try {
          done = slice(() => clock.now() < began + sliceTime)
        } catch (error) {
          cancel = undefined
          failed(error)
          return
        }
        cancel = clock.after(done ? 0 : clock.now() - began, done ? then : work)
      }
      stop()
      cancel = clock.after(0, work)
    },
  }
}
