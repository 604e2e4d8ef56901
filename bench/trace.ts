import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { startGethChain } from '../test/interop/gethChain.ts'
import type { ChainFiles } from './import/importer.ts'
import { makeChain } from './import/makeChain.ts'
import { round } from './rate.ts'
import { createClient, requestBody } from './rpc/client.ts'
import { formatSpread, type Spread, spreadOf } from './spread.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = { seconds: 'S', blocks: 'N', gas: 'G', port: 'P' }

interface Subject {
  readonly url: string
  stop(): Promise<void>
}

/** A request to both, in the words of each. */
interface Row {
  readonly name: string
  readonly method: 'debug_traceTransaction' | 'debug_traceBlockByNumber'
  readonly quoin: object
  readonly geth: object
}

const steps = { quoin: { disableMemory: true }, geth: {} }
const all = { quoin: {}, geth: { enableMemory: true } }
const calls = { quoin: { tracer: 'callTracer' }, geth: { tracer: 'callTracer' } }
const before = { quoin: { tracer: 'prestateTracer' }, geth: { tracer: 'prestateTracer' } }

const rows: readonly Row[] = [
  { name: 'traceTransaction, steps', method: 'debug_traceTransaction', ...steps },
  { name: 'traceTransaction, steps with memory', method: 'debug_traceTransaction', ...all },
  { name: 'traceTransaction, callTracer', method: 'debug_traceTransaction', ...calls },
  { name: 'traceTransaction, prestateTracer', method: 'debug_traceTransaction', ...before },
  { name: 'traceBlock, steps', method: 'debug_traceBlockByNumber', ...steps },
  { name: 'traceBlock, callTracer', method: 'debug_traceBlockByNumber', ...calls },
  { name: 'traceBlock, prestateTracer', method: 'debug_traceBlockByNumber', ...before },
]

async function startQuoin({ genesis, blocks }: ChainFiles): Promise<Subject> {
  const program = fileURLToPath(new URL('./trace/serveQuoin.js', import.meta.url))
  const child = spawn(process.execPath, [program, genesis, blocks], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    url,
    async stop() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

interface Request {
  readonly url: string
  readonly body: string
}

// Else one of them would spend its time on compressing.
const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity' }

/** Milliseconds of one request, its answer read to the end. */
async function time({ url, body }: Request): Promise<number> {
  const start = performance.now()
  const response = await fetch(url, { method: 'POST', headers, body })
  let bytes = 0
  for await (const chunk of response.body!) bytes += (chunk as Uint8Array).length
  if (bytes < 100) throw new Error(`${url} answers with ${bytes} bytes`)
  return performance.now() - start
}

/** Asks in turns for as long as it is told. */
async function measure(requests: readonly Request[], seconds: number): Promise<Spread[]> {
  const taken: number[][] = requests.map(() => [])
  const end = performance.now() + seconds * 1000
  do for (const [i, request] of requests.entries()) taken[i]!.push(await time(request))
  while (performance.now() < end || taken[0]!.length < 4)
  return taken.map(spreadOf)
}

interface Block {
  readonly number: string
  readonly transactions: readonly { readonly hash: string; readonly gas: string }[]
}

/** The last block, and its transaction with the most gas. */
async function chooseSubject(url: string): Promise<{ block: string; tx: string }> {
  const { number, transactions } = await createClient(url).call<Block>('eth_getBlockByNumber', 'latest', true)
  const largest = [...transactions].sort((a, b) => Number(b.gas) - Number(a.gas))[0]!
  return { block: number, tx: largest.hash }
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const seconds = options.number('seconds', 5)
  const gas = options.number('gas', 3_000_000)
  const files = makeChain(options.number('blocks', 20), gas)
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-trace-'))
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const subjects: Subject[] = []
  try {
    const quoin = await startQuoin(files)
    subjects.push(quoin)
    const geth = await startGethChain({
      script: join(peersDir, 'geth/geth'),
      version: 'v1.13.15',
      folder: join(folder, 'geth'),
      genesis: files.genesis,
      blocks: files.blocks,
      port: options.number('port', 25_900),
    })
    subjects.push(geth)
    const { block, tx } = await chooseSubject(quoin.url)
    const results: { name: string; quoin: Spread; geth: Spread }[] = []
    for (const row of rows) {
      const subject = row.method === 'debug_traceTransaction' ? tx : block
      const ours = { url: quoin.url, body: requestBody([row.method, subject, row.quoin]) }
      const theirs = { url: geth.url, body: requestBody([row.method, subject, row.geth]) }
      // What both have not yet compiled or read does not count.
      await measure([ours, theirs], seconds / 2)
      const [quoinTook, gethTook] = await measure([ours, theirs], seconds)
      results.push({ name: row.name, quoin: quoinTook!, geth: gethTook! })
    }
    return {
      title: `Milliseconds to trace the last block of ${gas / 1e6} Mgas, and its largest transaction: what a quarter of the requests in turn did not exceed`,
      columns: ['trace', 'Quoin', 'spread', 'geth 1.13.15', 'spread', 'ratio'],
      rows: results.map(({ name, quoin, geth }) => [
        name,
        ...[quoin, geth].flatMap((took) => [round(took.low), formatSpread(took)]),
        `${round(geth.low / quoin.low)}×`,
      ]),
      json: { seconds, rows: results },
    }
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

export const bench = {
  name: 'trace',
  doc: 'debug_trace* beside geth.',
  takes,
  run,
}
