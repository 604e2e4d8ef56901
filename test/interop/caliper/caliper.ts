import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cpuTime } from '../../../bench/qbft/consortium.ts'
import { confirmRate, searchRate } from '../../../bench/qbft/rateSearch.ts'
import { round } from '../../../bench/rate.ts'
import { formatMachine, watchMachine } from '../../../bench/report/machine.ts'
import { createReport } from '../../../bench/report/report.ts'
import { type BenchTable, formatTable } from '../../../bench/table.ts'
import type { Interop, InteropTerms } from '../interop.ts'
import { deployContracts } from './caliperContracts.ts'
import { type CaliperNetwork, createCaliperNetworks } from './caliperNetworks.ts'
import { type CaliperCall, caliperPackages, openedAccounts, runRound, writeWorkspace } from './caliperRound.ts'
import type { RoundResult } from './roundResult.ts'

/** The write calls of both workloads, and the read. */
const calls: Readonly<Record<string, CaliperCall>> = {
  'simple, open': { contract: 'simple', verb: 'open' },
  'simple, transfer': { contract: 'simple', verb: 'transfer' },
  'ERC-20, transfer': { contract: 'ERC20', verb: 'transfer' },
  'simple, query': { contract: 'simple', verb: 'query' },
}
/** Where rates are looked for. */
const range = { start: 100, lowest: 10, highest: 5000, precision: 0.1 }
/** Seconds for which a rate is held in the end, unless the command line says otherwise, and share of it that a probe takes. */
const usualSeconds = 30
const probeShare = 1 / 3
/** Seconds in which the accounts are opened on a new network. */
const openingSeconds = 10
/** Seconds of five blocks: within them each call has to have its receipt. */
const maxLatency = 5
/** What Caliper has to send of what it is asked to. */
const minSent = 0.95

/** Whether every call succeeded, in time, and Caliper came along. */
const isHeld = ({ failed, sendRate, maxLatency: longest }: RoundResult, rate: number) =>
  failed === 0 && longest <= maxLatency && sendRate >= minSent * rate

interface Held {
  readonly result: RoundResult
  /** Milliseconds of CPU time that a call took each validator. */
  readonly cpu: number
}

/** A network with its contracts, that is started anew where a call has failed. */
function createBench(start: () => Promise<CaliperNetwork>, folder: string) {
  let running: CaliperNetwork | undefined
  let number = 0
  let opened = 0

  async function stop(): Promise<void> {
    const stopped = running
    running = undefined
    await stopped?.stop()
  }

  const workspace = () => join(folder, String(number))

  async function call(terms: { readonly call: CaliperCall; readonly rate: number; readonly seconds: number }) {
    const firstAccount = opened
    if (terms.call.verb === 'open') opened += terms.rate * terms.seconds
    return runRound(workspace(), { ...terms, firstAccount })
  }

  async function open(): Promise<CaliperNetwork> {
    if (running) return running
    running = await start()
    number++
    opened = 0
    const { httpUrl, wsUrl } = running
    writeWorkspace(workspace(), wsUrl, await deployContracts(httpUrl))
    const rate = openedAccounts / openingSeconds
    await call({ call: { contract: 'simple', verb: 'open' }, rate, seconds: openingSeconds })
    return running
  }

  return {
    stop,
    async measure(what: CaliperCall, rate: number, seconds: number): Promise<Held> {
      const network = await open()
      const before = cpuTime(network)
      const result = await call({ call: what, rate, seconds }).catch(async (error) => {
        await stop()
        throw error
      })
      const cpu = (cpuTime(network) - before) / network.pids.length / Math.max(1, result.succeeded)
      if (result.failed > 0) await stop()
      return { result, cpu }
    },
  }
}

interface Sustained {
  readonly name: string
  /** Calls a second; undefined if not even the lowest rate was held. */
  readonly rate: number | undefined
  readonly failed: number | undefined
  readonly held: Held | undefined
}

async function findHighest(
  name: string,
  call: CaliperCall,
  bench: ReturnType<typeof createBench>,
  { seconds, note }: { readonly seconds: number; readonly note: (text: string) => void },
): Promise<Sustained> {
  let failed: number | undefined
  async function hold(rate: number, duration: number): Promise<Held | undefined> {
    const held = await bench.measure(call, rate, duration).catch((error: Error) => error)
    const isGood = !(held instanceof Error) && isHeld(held.result, rate)
    note(
      `${name}: ${rate}/s for ${duration} s ${isGood ? 'held' : 'not held'} (${held instanceof Error ? held.message : figures(held)})`,
    )
    if (isGood) return held as Held
    failed = Math.min(failed ?? rate, rate)
    return undefined
  }
  const probe = Math.ceil(seconds * probeShare)
  const found = await searchRate(async (rate) => (await hold(rate, probe)) !== undefined, range)
  const confirmed = found > 0 ? await confirmRate(found, range.lowest, (rate) => hold(rate, seconds)) : undefined
  return { name, rate: confirmed?.rate, failed, held: confirmed?.result }
}

function figures({ result: { succeeded, failed, sendRate, throughput, maxLatency: longest }, cpu }: Held): string {
  return `${succeeded} succeeded, ${failed} failed, ${sendRate}/s sent, ${throughput}/s done, ${longest} s at most, CPU ${cpu.toFixed(2)} ms`
}

function tableOf(rows: readonly Sustained[], seconds: number): BenchTable {
  const none = 'none'
  return {
    title: `Hyperledger Caliper 0.6.0 at the highest rate that 4 validators sustain for ${seconds} s: no call fails, each has its receipt within ${maxLatency} s`,
    columns: [
      '',
      'send rate/s',
      'throughput/s',
      'avg latency, s',
      'min, s',
      'max, s',
      'succeeded',
      'failed',
      'CPU ms/call',
      'not held/s',
    ],
    rows: rows.map(({ name, held, failed }) => {
      const notHeld = failed === undefined ? none : round(failed)
      if (!held) return [name, ...Array.from({ length: 8 }, () => none), notHeld]
      const { result, cpu } = held
      const latencies = [result.avgLatency, result.minLatency, result.maxLatency].map((time) => time.toFixed(2))
      const counts = [result.succeeded, result.failed].map((count) => count.toLocaleString('en'))
      return [name, round(result.sendRate), round(result.throughput), ...latencies, ...counts, cpu.toFixed(2), notHeld]
    }),
    json: { seconds, rows },
  }
}

async function run({ checks, folder, peersDir, basePort, only, seconds = usualSeconds, jsonFile }: InteropTerms) {
  const watch = watchMachine()
  const networks = Object.entries(createCaliperNetworks({ folder, peersDir, basePort }))
  const wanted = Object.entries(calls).filter(([name]) => only.length === 0 || only.some((text) => name.includes(text)))
  const rows: Sustained[] = []
  for (const [make, start] of networks) {
    const place = join(folder, make.replace(/\W+/g, '-'))
    mkdirSync(place)
    const bench = createBench(start, place)
    try {
      for (const [name, call] of wanted) {
        const title = `${make}: ${name}`
        await checks.step(`${title}: a rate is sustained`, async () => {
          const found = await findHighest(title, call, bench, { seconds, note: checks.note })
          rows.push(found)
          if (!found.held) throw new Error(`not even ${range.lowest}/s`)
        })
      }
    } finally {
      await bench.stop()
    }
  }
  // Both makes of a call stand below each other.
  const order = wanted.flatMap(([name]) => networks.map(([make]) => `${make}: ${name}`))
  rows.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  const use = watch.stop()
  const table = tableOf(rows, seconds)
  const args = [...(only.length > 0 ? [`--only ${only.join()}`] : []), `--seconds ${seconds}`]
  const report = { ...createReport('caliper', args, table, use), runner: 'interop' as const }
  for (const line of [...formatTable(table).split('\n'), ...formatMachine(report.machine, use).split('\n')])
    checks.note(line)
  mkdirSync(dirname(jsonFile), { recursive: true })
  writeFileSync(jsonFile, `${JSON.stringify(report, undefined, 2)}\n`)
}

export const caliper: Interop = {
  name: 'caliper',
  doc: 'Hyperledger Caliper with the calls of its workloads simple and ERC-20: the highest rates of 4 Quoin and of 4 Besu validators (--only TEXT,… --seconds N --json FILE).',
  needs: ['besu'],
  whyNot: async () => (process.platform === 'linux' ? caliperPackages.fetch() : 'CPU time is read from /proc'),
  run,
}
