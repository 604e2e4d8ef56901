import type { Clock } from '../../system/clock.ts'

/** Milliseconds of one slice. */
const usualTime = 40

/** Long work that is done in slices, so that the node stays responsive. */
export interface Slices {
  /**
   * Calls `slice` until it returns true, then `then`. A slice must return soon after `goOn` returns false; after it comes
   * a pause that is as long as the slice was. An exception ends the work and is passed to `failed`.
   */
  run(slice: (goOn: () => boolean) => boolean, then: () => void, failed: (error: unknown) => void): void
  /** Abandons the work. */
  stop(): void
}

/** One piece of work at a time: `run` abandons the work before. */
export function createSlices(clock: Clock, sliceTime: number = usualTime): Slices {
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
