import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { makeRsaKey, makeToken } from '../../test/support/tokens.ts'
import { devSetupBlocks } from '../content/contentMakers.ts'
import { type ContentSize, prepareContent } from '../content/prepareContent.ts'
import { round } from '../rate.ts'
import type { BenchTable } from '../table.ts'
import { checkAnswers } from './checkAnswers.ts'
import type { Subject } from './contenders/contender.ts'
import { contentOf } from './contenders/contentOf.ts'
import type { LoadOptions } from './load.ts'
import { type Figures, figuresOf, type Measurable, measurable, type Turn } from './measureRow.ts'
import { questionsOf } from './questions.ts'
import { rows } from './rows.ts'
import { startQuoin } from './servers.ts'

/** What stands between a client and the methods. */
interface Guard {
  readonly name: string
  readonly options: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

const fixture = (name: string) => join(packageRoot, 'test/fixtures/tls', name)

/** Nothing at first, and all at the end. */
function guardsIn(folder: string): readonly Guard[] {
  const keyFile = join(folder, 'token.pub')
  const { privateKey } = makeRsaKey(keyFile)
  const token = makeToken({ permissions: ['eth:*', 'net:*', 'web3:*'], exp: Date.now() / 1000 + 86_400 }, privateKey)
  const authentication = {
    options: ['--rpc-http-authentication-enabled', `--rpc-http-authentication-jwt-public-key-file=${keyFile}`],
    headers: { Authorization: `Bearer ${token}` },
  }
  const tls = [
    '--rpc-http-tls-enabled',
    `--rpc-http-tls-certificate-file=${fixture('server.crt')}`,
    `--rpc-http-tls-key-file=${fixture('server.key')}`,
  ]
  return [
    { name: 'off', options: [], headers: {} },
    { name: 'authentication', ...authentication },
    { name: 'TLS', options: tls, headers: {} },
    { name: 'both', options: [...authentication.options, ...tls], headers: authentication.headers },
  ]
}

/** Starts a Quoin with each of the guards; all have the same chain. */
async function startAll(
  size: ContentSize,
  folder: string,
  guards: readonly Guard[],
  subjects: Subject[],
): Promise<void> {
  const { data } = await prepareContent('dev', size)
  const content = await contentOf(size, devSetupBlocks(size.accounts) + 1)
  for (const [i, { options, headers }] of guards.entries()) {
    const own = join(folder, `guard${i}`)
    cpSync(data, join(own, 'quoin'), { recursive: true })
    const server = await startQuoin({ folder: own, peersDir: '', period: 1 }, options, headers)
    subjects.push({ ...server, wsPort: 0, content })
  }
}

/** Different questions of each row. */
const questionCount = 10_000
const warmUpSeconds = 1

/**
 * Measures a Quoin without and with guards, over connections that are kept: a second each in turn, so that what else the
 * machine does falls on all of them.
 */
export async function compareGuards(
  size: ContentSize,
  only: readonly string[],
  load: LoadOptions,
): Promise<BenchTable> {
  const guards = guardsIn(load.folder)
  const subjects: Subject[] = []
  const results: { readonly name: string; readonly figures: readonly Figures[] }[] = []
  try {
    await startAll(size, load.folder, guards, subjects)
    for (const row of rows.filter(({ id, transport }) => transport === 'http' && only.includes(id))) {
      const measured: Measurable[] = []
      for (const subject of subjects) {
        const questions = questionsOf(row, subject.content, questionCount)
        await checkAnswers(subject, row, questions, join(load.folder, 'check.txt'))
        const one = measurable(subject, row, questions, load)
        await one.warm(warmUpSeconds)
        measured.push(one)
      }
      const turns: Turn[][] = measured.map(() => [])
      for (let second = 0; second < load.seconds; second++)
        for (const [i, one] of measured.entries()) turns[i]!.push(await one.turn())
      results.push({ name: row.name, figures: turns.map(figuresOf) })
    }
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()))
  }
  const loss = (off: number, on: number) => `${round(100 * (1 - on / off))} %`
  return {
    title: `Requests per second without and with guards, different questions, ${load.connections} connections, medians of ${load.seconds} turns`,
    columns: ['request', ...guards.flatMap(({ name }, i) => (i ? [name, 'loss', 'loss by CPU'] : [name]))],
    rows: results.map(({ name, figures: [off, ...others] }) => [
      name,
      round(off!.perSecond.median),
      ...others.flatMap((one) => [
        round(one.perSecond.median),
        loss(off!.perSecond.median, one.perSecond.median),
        loss(1 / off!.cpu.median, 1 / one.cpu.median),
      ]),
    ]),
    json: { ...size, seconds: load.seconds, connections: load.connections, rows: results },
  }
}
