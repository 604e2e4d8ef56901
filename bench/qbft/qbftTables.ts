import { round } from '../rate.ts'
import { medianOf } from '../spread.ts'
import type { TextTable } from '../table.ts'
import type { Measured } from './measureLoad.ts'
import type { Sustained } from './sustainedRate.ts'

// A network that mined nothing has no figure per transaction.
const told = (n: number | undefined, text: (n: number) => string) =>
  n !== undefined && Number.isFinite(n) ? text(n) : 'none'
const milliseconds = (n: number | undefined) => told(n, (value) => value.toFixed(3))

/** The results of each network and workload. */
function groupsOf(results: readonly Measured[]): Measured[][] {
  const groups = new Map<string, Measured[]>()
  for (const one of results) {
    const key = `${one.name}, ${one.workload}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

/** One row for all rounds of a network and workload: the median of each figure. */
function rowOf(rounds: readonly Measured[]): string[] {
  const median = (figure: (one: Measured) => number) => medianOf(rounds.map(figure))
  const figures: ((one: Measured) => number)[] = [
    (one) => one.accepted,
    (one) => one.refused,
    (one) => one.mined,
    (one) => one.perSecond,
    (one) => one.p50,
    (one) => one.p99,
    (one) => one.blocks,
    (one) => one.slowest,
    (one) => one.memory.resident,
    (one) => one.memory.anonymous,
  ]
  const { name, workload } = rounds[0]!
  const cpu = rounds.map((one) => one.cpuPerTx)
  return [
    `${name}, ${workload}`,
    ...figures.map((figure) => told(median(figure), round)),
    milliseconds(median((one) => one.cpuPerTx)),
    `${milliseconds(Math.min(...cpu))}–${milliseconds(Math.max(...cpu))}`,
    milliseconds(median((one) => one.senderCpuPerTx)),
  ]
}

/** What became of a rate that was the same for all. */
export function fixedRateTable(rate: number, seconds: number, results: readonly Measured[]): TextTable {
  return {
    title: `4 validators, blocks each second, ${round(rate)} transactions a second offered for ${seconds} s`,
    columns: [
      '',
      'accepted',
      'refused',
      'mined',
      'mined/s',
      'p50, ms',
      'p99, ms',
      'blocks',
      'slowest, s',
      'peak MB',
      'anonymous',
      'CPU ms/tx',
      'from–to',
      'sender ms/tx',
    ],
    rows: groupsOf(results).map(rowOf),
  }
}

/** What each sustains. */
export function sustainedTable(seconds: number, results: readonly Sustained[]): TextTable {
  return {
    title: `4 validators, blocks each second: transactions a second that they sustain for ${seconds} s, 99 of 100 mined within 5 s, none lost`,
    columns: [
      '',
      'sustained/s',
      'CPU ms/tx',
      'p50, ms',
      'p99, ms',
      'refused',
      'blocks',
      'slowest, s',
      'peak MB',
      'anonymous',
      'sender ms/tx',
      'not held/s',
    ],
    rows: results.map(({ name, workload, rate, failed, measured }) => [
      `${name}, ${workload}`,
      round(rate),
      milliseconds(measured?.cpuPerTx),
      ...[measured?.p50, measured?.p99FromFirst, measured?.refused, measured?.blocks, measured?.slowest].map((n) =>
        told(n, round),
      ),
      ...[measured?.memory.resident, measured?.memory.anonymous].map((n) => told(n, round)),
      milliseconds(measured?.senderCpuPerTx),
      told(failed, round),
    ]),
  }
}
