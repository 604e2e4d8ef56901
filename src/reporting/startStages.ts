import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'

/** What a node does while it starts, for the operator who waits for it. */
export interface StartStages {
  /** Says what comes next, such as "opening the database". */
  enter(stage: string): void
  /** The start has ended. */
  end(): void
}

/** Milliseconds after which a stage is named in the log, and then again and again. */
const patience = 5000

/** Logs what holds up a start: while it does if others have their turn, otherwise when it is over. */
export function createStartStages(clock: Clock, log: Logger): StartStages {
  let stage: string | undefined
  let since = 0
  let reported = 0
  let cancel = (): void => {}

  function report(): void {
    reported = clock.now()
    log.info({ stage, seconds: Math.round((reported - since) / 1000) }, 'starting: {stage} takes {seconds} s so far')
    cancel = clock.after(patience, report)
  }

  function leave(): void {
    cancel()
    const now = clock.now()
    // A stage that left nobody a turn could not be logged meanwhile.
    if (stage !== undefined && now - Math.max(since, reported) > patience)
      log.info({ stage, seconds: Math.round((now - since) / 1000) }, 'starting: {stage} took {seconds} s')
    stage = undefined
  }

  return {
    enter(next) {
      leave()
      stage = next
      since = clock.now()
      cancel = clock.after(patience, report)
    },
    end: leave,
  }
}
