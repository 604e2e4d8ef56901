import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { Groups } from './groups.ts'
import type { Parties } from './parties.ts'

interface RoundsParts {
  readonly parties: Pick<Parties, 'announce'>
  readonly groups: Pick<Groups, 'deliver'>
  /** Milliseconds between rounds. */
  readonly interval: number
  readonly clock: Clock
  readonly log: Logger
}

/** Announces this manager to the others, and delivers groups that they lack, again and again; returns what ends it. */
export function announceRounds({ parties, groups, interval, clock, log }: RoundsParts): () => void {
  let isEnded = false
  let cancel = () => {}

  async function round(): Promise<void> {
    try {
      await parties.announce()
      await groups.deliver()
    } catch (error) {
      if (!isEnded) log.error({ error: String(error) }, 'the round of announcements failed')
    }
    if (!isEnded) cancel = clock.after(interval, () => void round())
  }
  void round()

  return () => {
    isEnded = true
    cancel()
  }
}
