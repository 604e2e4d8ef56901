import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devAccounts } from '../src/forks/devGenesis.ts'
import { fromHex } from '../src/primitives/hex.ts'
import { freePort } from '../test/support/freePort.ts'
import { round } from './rate.ts'
import { createClient } from './rpc/client.ts'
import { type ServerProcess, startQuoin } from './rpc/servers.ts'
import { signed } from './rpc/signed.ts'
import { gatherCrowd } from './subscribers/crowd.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = { subscribers: 'N', rounds: 'N' }

const kinds = ['newHeads', 'logs'] as const
const sender = fromHex(devAccounts[0].privateKey)
/** Code of a creation that emits one log. */
const logging = fromHex('0x60006000a000')
/** Milliseconds that the last subscriber may take. */
const patience = 30_000

/** Milliseconds from sending the transaction of a block to what the median, the 99th of 100 and the last subscriber heard. */
interface Round {
  /** The sender is answered when the block is there. */
  readonly answered: number
  readonly median: number
  /** The median subscriber has heard of the head. */
  readonly head: number
  /** The median subscriber, from when the sender was answered. */
  readonly afterBlock: number
  readonly p99: number
  readonly last: number
}

function megabytes({ pid }: ServerProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const size = options.number('subscribers', 5000)
  const rounds = options.number('rounds', 20)
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-subscribers-'))
  const port = await freePort()
  const limit = `--rpc-ws-max-active-connections=${size}`
  const server = await startQuoin({ folder, peersDir: '', period: 0, wsPort: port }, [limit])
  try {
    const { call } = createClient(server.url)
    const before = megabytes(server)
    let nonce = 0
    async function send(): Promise<number> {
      const began = performance.now()
      await call('eth_sendRawTransaction', signed(sender, nonce++, { data: logging, gasLimit: 100_000n }))
      return performance.now() - began
    }
    const alone: number[] = []
    for (let i = 0; i < rounds + 3; i++) alone.push(await send())
    const crowd = await gatherCrowd(port, size, kinds)
    const connected = megabytes(server)
    async function measure(): Promise<Round> {
      crowd.reset()
      const began = performance.now()
      const answered = await send()
      const end = began + patience
      while (crowd.times(kinds.length).at(-1) === Infinity && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 20))
      const times = crowd.times(kinds.length).map((time) => time - began)
      const at = (part: number) => times[Math.floor(part * (size - 1))]!
      const middle = at(0.5)
      const head = crowd.headTimes()[size >> 1]! - began
      return { answered, median: middle, head, afterBlock: middle - answered, p99: at(0.99), last: at(1) }
    }
    // The first blocks are slower.
    for (let i = 0; i < 3; i++) await measure()
    const measured: Round[] = []
    for (let i = 0; i < rounds; i++) measured.push(await measure())
    crowd.close()
    const of = (key: keyof Round) => median(measured.map((one) => one[key]))
    const times = {
      head: of('head'),
      median: of('median'),
      afterBlock: of('afterBlock'),
      p99: of('p99'),
      last: of('last'),
    }
    // The block is there when a sender is answered whom no subscribers delay.
    const block = median(alone.slice(3))
    const row = { block, answered: of('answered'), ...times }
    const memory = { before, connected, after: megabytes(server) }
    return {
      title: `${size} subscribers of ${kinds.join(' and ')}: milliseconds from sending the transaction of a block, medians of ${rounds} blocks`,
      columns: ['', 'ms'],
      rows: [
        ['without subscribers, the sender is answered', round(row.block)],
        ['the sender is answered', round(row.answered)],
        ['the median subscriber has heard of the head', round(row.head)],
        ['after the block', round(row.head - row.block)],
        ['the median subscriber has heard both', round(row.median)],
        ['both, after the sender was answered', round(row.afterBlock)],
        ['99 of 100 have', round(row.p99)],
        ['all have', round(row.last)],
        ['MB of the node without subscribers', round(memory.before)],
        ['MB with them', round(memory.connected)],
        ['MB at the end', round(memory.after)],
      ],
      json: { size, rounds, ...row, memory },
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export const bench = {
  name: 'subscribers',
  doc: 'Many WebSocket clients that follow heads and logs.',
  takes,
  run,
}
