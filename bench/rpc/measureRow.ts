import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { cpuSeconds } from '../cpuSeconds.ts'
import { type Spread, spreadOf } from '../spread.ts'
import type { Subject } from './contenders/contender.ts'
import { cycleRequests, type Load, type LoadOptions } from './load.ts'
import { bodiesOf } from './questions.ts'
import type { Question, Row } from './rows.ts'
import { cycleMessages } from './webSocketLoad.ts'

/** What turns of a second came to. */
export interface Figures {
  /** Requests per second. */
  readonly perSecond: Spread
  /** Microseconds of CPU time that a request took the server, with all its threads and children. */
  readonly cpu: Spread
}

export interface Turn {
  readonly perSecond: number
  readonly cpu: number
}

/** Milliseconds between looks at a server that is to come to rest, and how long that may take. */
const lookEvery = 100
const restWithin = 5000
/** Seconds of CPU time within a look at which a server rests: what an idle JVM takes. */
const restingCpu = 0.03

/** Waits until a server no longer works on what was asked before the load ended: others have their turn then. */
async function rest(pid: number): Promise<void> {
  const end = performance.now() + restWithin
  let before = cpuSeconds(pid)
  while (performance.now() < end) {
    await setTimeout(lookEvery)
    const now = cpuSeconds(pid)
    if (now - before <= restingCpu) return
    before = now
  }
}

/** Runs a load on a server and reads what CPU time it took. */
export async function takeTurn({ pid }: Subject, load: () => Promise<Load>): Promise<Turn> {
  const before = cpuSeconds(pid)
  const { requests, seconds } = await load()
  const cpu = cpuSeconds(pid) - before
  await rest(pid)
  if (requests === 0) throw new Error(`no answer within ${seconds.toFixed(1)} s`)
  return { perSecond: requests / seconds, cpu: (cpu * 1e6) / requests }
}

export function figuresOf(turns: readonly Turn[]): Figures {
  return { perSecond: spreadOf(turns.map((one) => one.perSecond)), cpu: spreadOf(turns.map((one) => one.cpu)) }
}

/** Answers to each connection that a turn is to have at least, and the seconds that it takes at most for them. */
const answersEach = 4
const longestTurn = 10

/** Seconds of a turn: one, but more where answers take long. */
export function turnLength({ requests, seconds }: Load, connections: number): number {
  if (requests === 0) return longestTurn
  return Math.min(longestTurn, Math.max(1, Math.ceil((answersEach * connections * seconds) / requests)))
}

/** A row of a server, ready to be measured. */
export interface Measurable {
  /** Warms the server up, for so many seconds, and finds out how long its turns are. */
  warm(seconds: number): Promise<void>
  turn(): Promise<Turn>
}

let files = 0

/** Each turn goes on with the questions where the one before it ended. */
export function measurable(
  subject: Subject,
  row: Row,
  questions: readonly Question[],
  options: LoadOptions,
): Measurable {
  const file = join(options.folder, `bodies${files++}.txt`)
  writeFileSync(file, `${bodiesOf(questions).join('\n')}\n`)
  let from = 0
  let length = 1
  async function load(seconds: number): Promise<Load> {
    const { wsPort: port, url, headers } = subject
    const { connections } = options
    const done = await (row.transport === 'ws'
      ? cycleMessages({ port, bodies: file, from, connections, seconds })
      : cycleRequests(url, file, from, { ...options, headers, seconds }))
    from = (from + done.requests) % questions.length
    return done
  }
  return {
    async warm(seconds) {
      length = turnLength(await load(seconds), options.connections)
      await rest(subject.pid)
    },
    turn: () => takeTurn(subject, () => load(length)),
  }
}
