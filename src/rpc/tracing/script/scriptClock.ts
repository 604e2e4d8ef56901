/** Milliseconds that a tracer has for a transaction unless its caller says otherwise, as in geth. */
export const defaultScriptTime = 5000
/** Milliseconds for all transactions of a request, and at most for one. */
export const maxScriptTime = 20_000
/** Milliseconds after which a reader is ended that is busy with something that cannot be interrupted, such as sorting. */
export const scriptGrace = 5_000

/** How long the tracers of one request may still run. */
export interface ScriptClock {
  /** Begins with a transaction that may take so many milliseconds; says whether its time is over. */
  begin(time: number): () => boolean
  /** Whether a transaction has taken too long, or all together: no further one is begun. */
  isUsedUp(): boolean
}

export function createScriptClock(now: () => number = () => performance.now()): ScriptClock {
  const end = now() + maxScriptTime
  let isUsedUp = false
  return {
    begin(time) {
      const until = Math.min(now() + time, end)
      return () => {
        if (!isUsedUp && now() >= until) isUsedUp = true
        return isUsedUp
      }
    },
    isUsedUp: () => isUsedUp,
  }
}

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

/** Milliseconds of a duration as Go writes it, such as `1m30s`; undefined if it is none. */
export function milliseconds(duration: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(duration)) return undefined
  const parts = duration.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * units[unit!]!, 0)
}
