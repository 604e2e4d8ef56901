import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { withBesus, withQuoins } from './privacy/consortium.ts'
import { applyPrivateLoad, type PrivateLoad } from './privacy/load.ts'
import { round } from './rate.ts'
import type { BenchOptions, BenchTable } from './table.ts'

interface Measured extends PrivateLoad {
  readonly name: string
  readonly members: number
}

const networks = {
  quoin: { name: 'Quoin', start: withQuoins },
  besu: { name: 'Besu 24.1.2 with Tessera 24.4.2', start: withBesus },
}
const sizes = [2, 4]

async function run(options: BenchOptions): Promise<BenchTable> {
  const seconds = options.number('seconds', 30)
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const names = ['quoin', ...options.text('peers', 'besu').split(',').filter(Boolean)] as (keyof typeof networks)[]
  const results: Measured[] = []
  for (const [i, key] of names.entries()) {
    const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-privacy-'))
    const { name, start } = networks[key]
    try {
      await start({ folder, basePort: 24_000 + 100 * i, peersDir }, async (members) => {
        for (const size of sizes)
          results.push({ name, members: size, ...(await applyPrivateLoad(members.slice(0, size), seconds)) })
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const ofQuoin = (members: number) => results.find((row) => row.members === members)!.perSecond
  return {
    title: `Private ERC-20 transfers in a group, 4 QBFT validators, blocks each second, sent for ${seconds} s`,
    columns: ['', 'members', 'sent', 'executed/s', 'Quoin to it', 'blocks', 'slowest, s'],
    rows: results.map(({ name, members, sent, perSecond, blocks, slowest }) => [
      name,
      ...[members, sent, perSecond].map(round),
      `${round(ofQuoin(members) / perSecond)}×`,
      ...[blocks, slowest].map(round),
    ]),
    json: { seconds, rows: results },
  }
}

export const bench = {
  name: 'privacy',
  doc: 'Private ERC-20 transfers through 2 and 4 members, beside Besu with Tessera (--seconds S, --peers NAMES, --peers-dir DIR).',
  run,
}
