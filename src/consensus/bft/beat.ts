/**
 * When blocks were due, by the clock of this validator: where their timestamps are too coarse to say, the next one is due a period
 * after the last one was, no matter how long it took to agree on that. Times are in milliseconds.
 */
export interface Beat {
  /** A height begins; returns from when its period counts. */
  begin(height: bigint, period: number, now: number): number
  /** Its block came. */
  came(now: number): void
  /** Its block is not due before another time. */
  postpone(until: number): void
}

class PeriodBeat implements Beat {
  private height: bigint | undefined
  /** When the block of this height is due, or came if that was earlier: so all keep the pace of the first. */
  private at = 0

  readonly begin: Beat['begin'] = (height, period, now) => {
    // What is overdue for longer is not made up for; a clock that was set back makes nobody wait.
    const since = this.height === height - 1n ? Math.max(now - period, Math.min(this.at, now)) : now
    this.height = height
    this.at = since + period
    return since
  }

  readonly came: Beat['came'] = (now) => {
    this.at = Math.min(this.at, now)
  }

  readonly postpone: Beat['postpone'] = (until) => {
    this.at = until
  }
}

export function createBeat(): Beat {
  return new PeriodBeat()
}
