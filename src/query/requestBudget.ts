/** Limits of the trials of one request. */
export interface TrialLimits {
  /** Maximum gas of one trial; 0 means no limit. */
  readonly gasCap: bigint
  /** Milliseconds from the start of the request after which no further call begins. */
  readonly time: number
}

/** Gas and time that the calls of one request share. */
export interface RequestBudget {
  /** Maximum gas of one trial. */
  readonly maxGas: bigint
  /** Whether the request has used up its gas or its time by now, so that no further call may begin. */
  isUsedUp(now?: number): boolean
  spendGas(gas: bigint): void
  /** Gas that was spent so far. */
  gasSpent(): number
  /** Milliseconds that traces of this request may still take, at most `max` for all of them. */
  traceTime(max: number): number
  spendTraceTime(milliseconds: number): void
}

/** Maximum gas of one trial: that of geth, and of later versions of Besu. */
export const defaultGasCap = 50_000_000n

/** What a request may do where nothing else is said. */
export const defaultLimits: TrialLimits = { gasCap: defaultGasCap, time: 300_000 }

/** Trials with the maximum gas that one request may run. */
const fullTrials = 20

/** More gas than any block has. */
const unlimited = 2n ** 64n - 1n

export function createRequestBudget(
  { gasCap, time }: TrialLimits,
  now: () => number = () => performance.now(),
): RequestBudget {
  const end = now() + time
  let spent = 0
  let traced = 0
  return {
    maxGas: gasCap === 0n ? unlimited : gasCap,
    isUsedUp: (at = now()) => at >= end || (spent > 0 && gasCap > 0n && spent >= fullTrials * Number(gasCap)),
    spendGas(used) {
      spent += Number(used)
    },
    gasSpent: () => spent,
    traceTime: (max) => Math.min(max - traced, end - now()),
    spendTraceTime(milliseconds) {
      traced += milliseconds
    },
  }
}
