import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '../src/primitives/hex.ts'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { createStateStore } from '../src/state/stateStore.ts'
import { openStore } from '../src/store/openStore.ts'
import { folderSize } from './folderSize.ts'
import { round } from './rate.ts'
import { leaveOut } from './report/leaveOut.ts'
import type { BenchOptions, BenchTable } from './table.ts'
import { changedBlocks, loadedState, type TrieWorkload } from './trieWorkload.ts'

const takes = { accounts: 'N', contracts: 'N', slots: 'N', blocks: 'N' }

interface Measured {
  readonly loadSeconds: number
  readonly root: string
  readonly millis: readonly number[]
  readonly megabytes: number
}

async function measureQuoin(workload: TrieWorkload, path: string): Promise<Measured> {
  const store = openStore(path)
  const states = createStateStore(store)
  let block = 0
  const started = performance.now()
  for (const part of loadedState(workload)) store.write((txn) => states.commit(txn, block++, part))
  const loadSeconds = (performance.now() - started) / 1000
  const millis: number[] = []
  let root = ''
  for (const changes of changedBlocks(workload)) {
    const blockStarted = performance.now()
    const committed = store.write((txn) => states.commit(txn, block++, changes))
    millis.push(performance.now() - blockStarted)
    root = toHex(committed)
  }
  await store.close()
  return { loadSeconds, root, millis, megabytes: folderSize(path) / 1e6 }
}

/** The same by go-ethereum; undefined, with the reason on stderr, where it cannot be built. */
function measureGeth(workload: TrieWorkload, path: string): Measured | undefined {
  const source = join(packageRoot, 'bench/peers/trie-geth')
  const binary = join(tmpdir(), 'quoin-bench', 'trie-geth')
  // This release reaches into Go's runtime in a way that newer linkers refuse by default.
  const built = spawnSync('go', ['build', '-ldflags=-checklinkname=0', '-o', binary, '.'], { cwd: source })
  if (built.status !== 0) {
    leaveOut('go-ethereum', built.error ?? built.stderr.toString())
    return undefined
  }
  const { accounts, contracts, slots, blocks, changedAccounts, changedContracts, changedSlots } = workload
  const numbers = [accounts, contracts, slots, blocks, changedAccounts, changedContracts, changedSlots].map(String)
  const { status, stdout } = spawnSync(binary, [path, ...numbers], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (status !== 0) throw new Error('the go-ethereum program failed')
  return { ...(JSON.parse(stdout.toString()) as Measured), megabytes: folderSize(path) / 1e6 }
}

function row(name: string, { loadSeconds, millis, megabytes }: Measured): string[] {
  const sorted = millis.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]!
  const mean = millis.reduce((sum, n) => sum + n, 0) / millis.length
  return [name, ...[mean, at(0.5), at(0.95), at(1), loadSeconds, megabytes].map(round)]
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const workload: TrieWorkload = {
    accounts: options.number('accounts', 1_000_000),
    contracts: options.number('contracts', 1000),
    slots: options.number('slots', 1000),
    blocks: options.number('blocks', 100),
    changedAccounts: 1000,
    changedContracts: 100,
    changedSlots: 2000,
  }
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-trie-'))
  try {
    const quoin = await measureQuoin(workload, join(folder, 'quoin'))
    const geth = measureGeth(workload, join(folder, 'geth'))
    if (geth !== undefined && geth.root !== quoin.root) throw new Error(`roots differ: ${quoin.root}, ${geth.root}`)
    const { accounts, contracts, slots } = workload
    const state = `${round(accounts)} accounts, ${round(contracts)} of them with ${round(slots)} slots`
    return {
      title: `Commit of a block: 1,000 changed accounts and 2,000 changed slots in a state of ${state}, synced to disk`,
      columns: ['', 'mean, ms', 'median, ms', '95 %, ms', 'max, ms', 'load, s', 'on disk, MB'],
      rows: [
        row('Quoin: flat state, trie, history of both', quoin),
        ...(geth ? [row('go-ethereum 1.13.15: hash scheme on Pebble, each block synced', geth)] : []),
      ],
      json: { workload, quoin, geth },
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const bench = {
  name: 'trie',
  doc: 'Blocks of 1,000 changed accounts and 2,000 changed slots on a large state, beside go-ethereum (needs Go).',
  takes,
  run,
}
