import type { LoadResult, Workload } from './load.ts'
import { type Measured, measureLoad } from './measureLoad.ts'
import { type RunningNetwork, type Start, startNetwork } from './network.ts'
import { confirmRate, type RateRange, searchRate } from './rateSearch.ts'

export interface SustainSettings {
  readonly range: RateRange
  /** How long the rate is to be held in the end, and in each probe. */
  readonly seconds: number
  readonly probeSeconds: number
  /** Seconds of load on a new network before anything counts, and on every network before the rate is held in the end. */
  readonly warmUpSeconds: number
}

/** What a client sustains. */
export interface Sustained {
  readonly name: string
  readonly workload: Workload
  /** Transactions a second; 0 if not even the lowest rate was held. */
  readonly rate: number
  /** The lowest rate that was tried and not held. */
  readonly failed: number | undefined
  readonly measured: Measured | undefined
}

const period = 1000

/** Milliseconds within which 99 of 100 transactions have to be in a block: five block periods. */
const maxP99 = 5 * period

/** Milliseconds by which the sender may be late; it shares the machine with the validators. */
const maxLag = 1000

/** Whether all that was offered was mined, and in time from when it was first sent. */
export function isSustained({ offered, mined, p99FromFirst, lag }: LoadResult): boolean {
  return mined === offered && p99FromFirst < maxP99 && lag < maxLag
}

/** Finds the highest rate that a client's network sustains. A network that was given too much is not used again. */
export async function findSustained(
  start: Start,
  basePort: number,
  workload: Workload,
  settings: SustainSettings,
): Promise<Sustained> {
  const { range, seconds, probeSeconds, warmUpSeconds } = settings
  let network: RunningNetwork | undefined
  let name = ''
  let failed: number | undefined

  async function end(): Promise<void> {
    const ended = network
    network = undefined
    await ended?.end()
  }

  async function begin(): Promise<RunningNetwork> {
    const fresh = await startNetwork(start, basePort)
    name = fresh.consortium.name
    try {
      await measureLoad(fresh.consortium, workload, range.start, warmUpSeconds)
      return fresh
    } catch (error) {
      await fresh.end()
      throw error
    }
  }

  /** Signers of geth's Clique can wait for each other from their first blocks on, for ever: another network is begun then. */
  async function running(): Promise<RunningNetwork> {
    network ??= await begin().catch(begin).catch(begin)
    return network
  }

  /** What was measured, if the rate was held. */
  async function hold(rate: number, duration: number): Promise<Measured | undefined> {
    const { consortium } = await running()
    const measured = await measureLoad(consortium, workload, rate, duration).catch((error: Error) => error)
    const held = !(measured instanceof Error) && isSustained(measured)
    const seen = measured instanceof Error ? measured.message : figures(measured)
    process.stderr.write(`${name}, ${workload}: ${rate}/s for ${duration} s ${held ? 'held' : 'not held'} (${seen})\n`)
    if (held) return measured
    failed = Math.min(failed ?? Number.POSITIVE_INFINITY, rate)
    await end()
    return undefined
  }

  try {
    const found = await searchRate(async (rate) => (await hold(rate, probeSeconds)) !== undefined, range)
    const confirmed = await confirmRate(found, range.lowest, async (rate) =>
      (await hold(rate, warmUpSeconds)) ? hold(rate, seconds) : undefined,
    )
    return { name, workload, rate: confirmed?.rate ?? 0, failed, measured: confirmed?.result }
  } finally {
    await end()
  }
}

function figures({ offered, mined, refused, p99FromFirst, lag }: LoadResult): string {
  return `${mined} of ${offered} mined, ${refused} refused, p99 ${Math.round(p99FromFirst)} ms, sender late by ${Math.round(lag)} ms`
}
