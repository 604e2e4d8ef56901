import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import type { ContentSize } from './content/prepareContent.ts'
import { leaveOut } from './report/leaveOut.ts'
import { checkAnswers } from './rpc/checkAnswers.ts'
import type { Subject } from './rpc/contenders/contender.ts'
import { type ContenderName, contenders, isQuoin } from './rpc/contenders/contenders.ts'
import { compareGuards } from './rpc/guards.ts'
import type { LoadOptions } from './rpc/load.ts'
import { type Figures, figuresOf, measurable, type Turn, takeTurn } from './rpc/measureRow.ts'
import { type Sends, sendsTo } from './rpc/measureSends.ts'
import { questionsOf } from './rpc/questions.ts'
import { fullWindow, type Row, rows } from './rpc/rows.ts'
import { type Asking, type RowResult, rpcTable } from './rpc/rpcTables.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = {
  accounts: 'N',
  'full-blocks': 'N',
  questions: 'N',
  seconds: 'S',
  'warm-up': 'S',
  connections: 'N',
  servers: 'NAMES',
  only: 'ROWS',
  guards: '',
}

interface Running {
  readonly key: ContenderName
  readonly subject: Subject
}

interface Settings {
  readonly load: LoadOptions
  /** Seconds of load before the turns that count. */
  readonly warmUp: number
  /** Different questions of each row. */
  readonly questions: number
}

/** A row that a server does not answer, or not as it should, is measured without it; where that is Quoin, the bench fails in the end. */
async function unlessItFails(key: ContenderName, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    leaveOut(`${name} of ${key}`, error)
    if (isQuoin(key)) process.exitCode = 1
  }
}

/** One server and one way of asking. */
interface Entry {
  readonly key: ContenderName
  readonly asking: Asking
  turn(): Promise<Turn>
}

/** All take turns of a second, so that what else the machine does, and how warm the servers are, is the same for all. */
async function inTurns(
  name: string,
  entries: readonly Entry[],
  seconds: number,
): Promise<Record<Asking, RowResult['figures']>> {
  const turns = new Map<Entry, Turn[]>(entries.map((entry) => [entry, []]))
  for (let second = 0; second < seconds; second++)
    for (const [entry, list] of turns)
      await unlessItFails(entry.key, name, async () => {
        list.push(await entry.turn())
      })
  const figures = (asking: Asking) =>
    Object.fromEntries(
      [...turns]
        .filter(([entry, list]) => entry.asking === asking && list.length > 0)
        .map(([{ key }, list]): [ContenderName, Figures] => [key, figuresOf(list)]),
    )
  return { different: figures('different'), same: figures('same') }
}

async function measureReads(running: readonly Running[], row: Row, settings: Settings): Promise<RowResult[]> {
  const { load, warmUp } = settings
  const askings: readonly Asking[] = row.isSingle ? ['different'] : ['different', 'same']
  const entries: Entry[] = []
  const counts = { different: 0, same: 1 }
  for (const asking of askings)
    for (const { key, subject } of running)
      await unlessItFails(key, row.name, async () => {
        const questions = questionsOf(row, subject.content, asking === 'same' ? 1 : settings.questions)
        counts[asking] = questions.length
        await checkAnswers(subject, row, questions, join(load.folder, 'check.txt'))
        const { warm, turn } = measurable(subject, row, questions, load)
        await warm(warmUp)
        entries.push({ key, asking, turn })
      })
  const figures = await inTurns(row.name, entries, load.seconds)
  const { id, name } = row
  return askings.map((asking) => ({ id, name, asking, questions: counts[asking], figures: figures[asking] }))
}

const sendRow = { id: 'send', name: 'eth_sendRawTransaction' }

async function measureSends(running: readonly Running[], { load }: Settings): Promise<RowResult> {
  const entries: Entry[] = []
  for (const { key, subject } of running)
    await unlessItFails(key, sendRow.name, async () => {
      const sends: Sends = sendsTo(subject, load)
      const turn = async () => {
        await sends.prepare()
        return takeTurn(subject, async () => ({ requests: await sends.send(), seconds: 1 }))
      }
      await turn()
      entries.push({ key, asking: 'different', turn })
    })
  const { different } = await inTurns(sendRow.name, entries, load.seconds)
  return { ...sendRow, asking: 'different', questions: 0, figures: different }
}

/** Without one that cannot be started the others are measured all the same. */
async function startAll(
  names: readonly ContenderName[],
  folder: string,
  peersDir: string,
  size: ContentSize,
  up: Running[],
): Promise<void> {
  for (const key of names)
    try {
      const own = join(folder, key)
      mkdirSync(own)
      process.stderr.write(`Starting ${key} …\n`)
      up.push({ key, subject: await contenders[key]({ folder: own, peersDir, size }) })
    } catch (error) {
      if (isQuoin(key)) throw error
      leaveOut(key, error)
    }
}

/** The names in a list of an option, all of which have to be known. */
function chosen<T extends string>(
  options: BenchOptions<typeof takes>,
  option: keyof typeof takes,
  all: readonly T[],
): T[] {
  const names = options.text(option, all.join()).split(',').filter(Boolean)
  const unknown = names.find((name) => !all.includes(name as T))
  if (unknown !== undefined) throw new Error(`--${option} takes ${all.join(', ')}, not ${unknown}`)
  return names as T[]
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const seconds = options.number('seconds', 5)
  const connections = options.number('connections', 32)
  const size = { accounts: options.number('accounts', 10_000), fullBlocks: options.number('full-blocks', 300) }
  if (!(size.fullBlocks >= fullWindow) || !(size.accounts >= 1))
    throw new Error(`--full-blocks takes ${fullWindow} or more, --accounts one or more`)
  const names = chosen(options, 'servers', Object.keys(contenders) as ContenderName[])
  const only = chosen(
    options,
    'only',
    [...rows, sendRow].map(({ id }) => id),
  )
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-rpc-'))
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const load = { folder, seconds, connections }
  const settings = { load, warmUp: options.number('warm-up', 2), questions: options.number('questions', 10_000) }
  const running: Running[] = []
  const results: RowResult[] = []
  try {
    if (options.text('guards', 'false') === 'true') return await compareGuards(size, only, load)
    await startAll(names, folder, peersDir, size, running)
    for (const row of rows.filter(({ id }) => only.includes(id))) {
      process.stderr.write(`${row.name} …\n`)
      results.push(...(await measureReads(running, row, settings)))
    }
    if (only.includes(sendRow.id)) results.push(await measureSends(running, settings))
  } finally {
    await Promise.all(running.map(({ subject }) => subject.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  const columns = running.map(({ key, subject }) => ({ key, name: subject.name }))
  const how = `requests per second over ${connections} connections, state of ${size.accounts.toLocaleString('en')} accounts, medians of ${seconds} turns of a second`
  const different = settings.questions.toLocaleString('en')
  const same = rpcTable(`The same question again and again: ${how}`, 'same', columns, results)
  return {
    ...rpcTable(`Up to ${different} different questions in turn: ${how}`, 'different', columns, results),
    ...(same.rows.length > 0 && { more: [same] }),
    json: { ...size, ...settings, load: { seconds, connections }, rows: results },
  }
}

export const bench = {
  name: 'rpc',
  doc: 'JSON-RPC under load: different questions, and the same one again and again, on a development network and on one of QBFT, beside geth, Besu and anvil; --guards: without and with authentication, TLS, and both.',
  takes,
  run,
}
