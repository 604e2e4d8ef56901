import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { type Consortium, withBesus, withQuoins } from './privacy/consortium.ts'
import { applyPrivateLoad, type LoadOptions, type PrivateLoad } from './privacy/load.ts'
import { round } from './rate.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = { seconds: 'S', members: 'COUNTS', senders: 'N', validators: 'N', peers: 'NAMES' }

interface Measured extends PrivateLoad {
  readonly name: string
  readonly members: number
}

const networks = {
  quoin: { name: 'Quoin', start: withQuoins },
  besu: { name: 'Besu 24.1.2 with Tessera 24.4.2', start: withBesus },
}

/** How many times as large `a` is as `b`, where that can be said. */
function ratio(a: number, b: number): string {
  return b > 0 && Number.isFinite(a) ? `${round(a / b)}×` : '–'
}

async function measure(name: string, network: Consortium, options: LoadOptions): Promise<Measured> {
  const members = options.size
  const load = await applyPrivateLoad(network, options)
  const { perSecond, cpu, failed } = load
  if (name === networks.quoin.name && failed > 0) throw new Error(`${failed} private transfers have failed`)
  process.stderr.write(`${name}, ${members} members: ${round(perSecond)}/s, ${round(cpu)} ms of CPU time each\n`)
  return { name, members, ...load }
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const seconds = options.number('seconds', 30)
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const sizes = options.text('members', '2,4').split(',').map(Number)
  const senders = options.number('senders', 1)
  const validators = options.number('validators', Math.max(...sizes))
  const names = ['quoin', ...options.text('peers', 'besu').split(',').filter(Boolean)] as (keyof typeof networks)[]
  const results: Measured[] = []
  // Each load has a network of its own: Besu does not recover from one that is too much for it.
  for (const size of sizes)
    for (const [i, key] of names.entries()) {
      const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-privacy-'))
      const { name, start } = networks[key]
      try {
        await start({ folder, basePort: 24_000 + 100 * i, peersDir, validators }, async (network) => {
          results.push(await measure(name, network, { size, senders, seconds }))
        })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  const ofQuoin = (members: number) => results.find((row) => row.members === members)!
  return {
    title: `Private ERC-20 transfers in a group, ${validators} QBFT validators, blocks each second, ${senders} senders at each member for ${seconds} s`,
    columns: [
      '',
      'members',
      'sent',
      'failed',
      'executed/s',
      'Quoin to it',
      'CPU ms each',
      'to Quoin',
      'blocks',
      'slowest, s',
    ],
    rows: results.map(({ name, members, sent, failed, perSecond, cpu, blocks, slowest }) => [
      name,
      ...[members, sent, failed, perSecond].map(round),
      ratio(ofQuoin(members).perSecond, perSecond),
      Number.isFinite(cpu) ? round(cpu) : '–',
      ratio(cpu, ofQuoin(members).cpu),
      ...[blocks, slowest].map(round),
    ]),
    json: { seconds, rows: results },
  }
}

export const bench = {
  name: 'privacy',
  doc: 'Private ERC-20 transfers through 2 and 4 members, beside Besu with Tessera.',
  takes,
  run,
}
