import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '../src/primitives/hex.ts'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { bigIntToFixed } from '../src/primitives/u256.ts'
import { freePort } from '../test/support/freePort.ts'
import { type Call, createClient } from './rpc/client.ts'
import { quoinProgram, startServer } from './rpc/servers.ts'
import { medianOf } from './spread.ts'
import type { BenchOptions, BenchTable } from './table.ts'
import { busyHolder, firstHolder, holders } from './tokens/emitter.ts'
import { prepareHistory, rareHolder, token } from './tokens/transferHistory.ts'

const address = toHex(token)
const holder = (number: number) => toHex(bigIntToFixed(BigInt(number), 20))

/** Rows of a page of the explorer. */
const perPage = 25

/** What a page of the explorer asks; `number` makes each question another one. */
interface Question {
  readonly name: string
  readonly of: (number: number) => Call
}

interface Place {
  readonly blocks: number
}

function questionsAbout({ blocks }: Place): readonly Question[] {
  const transfers = (account: string | undefined, before?: string): Call => {
    const query = { token: address, ...(account !== undefined && { account }) }
    return ['quoin_getTokenTransfers', query, perPage, ...(before === undefined ? [] : [before])]
  }
  const others = (number: number) => holder(firstHolder + ((number * 997) % holders))
  // Behind the account comes the token: the holder's page asks for one row.
  const balance = (account: string): Call => ['quoin_getTokenBalances', account, 3, `255.${BigInt(address) - 1n}`]
  const at = (share: number, number: number) => `${Math.max(1, Math.floor(share * blocks) - number)}.0.0`
  return [
    { name: 'holder: balance', of: (number) => balance(others(number)) },
    { name: 'holder: transfers, newest', of: (number) => transfers(others(number)) },
    { name: 'holder: transfers, from the middle', of: (number) => transfers(others(number), at(0.5, number)) },
    { name: 'holder of 100,000: balance', of: () => balance(holder(busyHolder)) },
    { name: 'holder of 100,000: newest', of: () => transfers(holder(busyHolder)) },
    { name: 'holder of 100,000: from the middle', of: (number) => transfers(holder(busyHolder), at(0.5, number)) },
    { name: 'holder with two transfers', of: () => transfers(holder(rareHolder)) },
    { name: 'account without any', of: (number) => transfers(holder(1000 + number)) },
    { name: 'token: summary', of: () => ['quoin_getToken', address] },
    { name: 'token: holders', of: () => ['quoin_getTokenHolders', address, 'ERC-20', perPage] },
    { name: 'token: transfers, newest', of: () => transfers(undefined) },
    { name: 'token: transfers, oldest', of: (number) => transfers(undefined, at(0.01, number)) },
  ]
}

interface Measured {
  readonly name: string
  readonly first: number
  readonly median: number
  readonly slowest: number
  readonly entries: number
}

const repeats = 25

async function measure(url: string, { name, of }: Question): Promise<Measured> {
  const { call } = createClient(url)
  const times: number[] = []
  let entries = 0
  for (let number = 0; number < repeats; number++) {
    const started = performance.now()
    const reply = await call<Record<string, unknown>>(...of(number))
    times.push(performance.now() - started)
    entries = Math.max(entries, ...Object.values(reply).map((value) => (Array.isArray(value) ? value.length : 0)))
  }
  return { name, first: times[0]!, median: medianOf(times), slowest: Math.max(...times), entries }
}

async function run(options: BenchOptions): Promise<BenchTable> {
  const transfers = options.number('transfers', 1_000_000)
  const { genesis, chain, blocks } = await prepareHistory(transfers)
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-tokens-'))
  try {
    const importer = join(packageRoot, 'dist/bench/importQuoin.js')
    const { status, stdout } = spawnSync(process.execPath, [importer, genesis, chain, folder, 'true'])
    if (status !== 0) throw new Error('the import has failed')
    const { cpuSeconds } = JSON.parse(String(stdout)) as { cpuSeconds: number }
    const port = await freePort()
    const server = await startServer(
      'Quoin',
      process.execPath,
      [
        ...[quoinProgram, `--genesis-file=${genesis}`, `--data-path=${folder}`, '--logging=OFF', '--p2p-enabled=false'],
        ...['--rpc-http-enabled', `--rpc-http-port=${port}`, '--rpc-http-api=ETH,OTS'],
      ],
      port,
    )
    try {
      const results: Measured[] = []
      for (const question of questionsAbout({ blocks })) results.push(await measure(server.url, question))
      return tableOf(transfers, blocks, cpuSeconds, results)
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tableOf(transfers: number, blocks: number, cpuSeconds: number, results: readonly Measured[]): BenchTable {
  const milliseconds = (value: number) => value.toFixed(1)
  return {
    title:
      `What pages of a token with ${transfers} transfers in ${blocks} blocks ask over HTTP, in milliseconds, ${repeats} times each, ` +
      `pages of ${perPage}. Its import with the index took ${cpuSeconds.toFixed(0)} s of CPU`,
    columns: ['', 'rows', 'first', 'median', 'slowest'],
    rows: results.map(({ name, entries, first, median, slowest }) => [
      name,
      ...[String(entries), ...[first, median, slowest].map(milliseconds)],
    ]),
    json: { transfers, blocks, cpuSeconds, results },
  }
}

export const bench = {
  name: 'tokens',
  doc: 'What pages of a token and its holders ask of a node that has many transfers of it (--transfers N).',
  run,
}
