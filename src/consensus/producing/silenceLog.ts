import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'

interface Silence {
  readonly upTo: bigint
  readonly because: bigint
}

/** Milliseconds between two warnings. */
const warnEvery = 60_000

/** Says once a minute why a validator signs nothing. */
export function createSilenceLog(log: Logger, clock: Clock): (silence: Silence) => void {
  let warnedAt = Number.NEGATIVE_INFINITY
  return ({ upTo, because }) => {
    if (Math.abs(clock.now() - warnedAt) < warnEvery) return
    warnedAt = clock.now()
    log.warn(
      { number: Number(because), upTo: Number(upTo) },
      'block {number} is signed with the key of this validator, and this process knows nothing of it: another process has the key, or what was signed was ' +
        'forgotten with the data folder. Nothing is signed up to block {upTo}, and longer while such blocks come: never let two processes with one key run',
    )
  }
}
