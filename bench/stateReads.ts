import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from '../src/primitives/bytes.ts'
import { emptyCodeHash, keccak256, keccak256Into } from '../src/primitives/keccak.ts'
import { createSpace } from '../src/state/space.ts'
import { createStateParts } from '../src/state/stateParts.ts'
import { createStateStore } from '../src/state/stateStore.ts'
import { encodeStoredAccount } from '../src/state/storedAccount.ts'
import { openStore } from '../src/store/openStore.ts'
import type { Store } from '../src/store/store.ts'
import { emptyTrieRoot } from '../src/types/account.ts'
import { createCpuClock } from './evm/cpuSeconds.ts'
import { folderSize } from './folderSize.ts'
import { round } from './rate.ts'
import type { BenchOptions, BenchTable } from './table.ts'
import { addressOf } from './trieWorkload.ts'

const takes = { accounts: 'N', versions: 'N' }

/** Blocks that one version of all accounts is spread over, so that no transaction grows without bound. */
const blocksPerVersion = 8

const draws = 200_000
const measuredSeconds = 2
const parts = createStateParts(createSpace(new Uint8Array(0)))

interface Keys {
  readonly addresses: readonly Address[]
  /** By address hash. */
  readonly sorted: readonly { readonly hash: Uint8Array; readonly address: Address }[]
}

function makeKeys(count: number): Keys {
  const addresses = Array.from({ length: count }, (_, i) => addressOf(i))
  const hashes = Buffer.alloc(count * 32)
  const sorted = addresses.map((address, i) => {
    keccak256Into(address, hashes, i * 32)
    return { address, hash: hashes.subarray(i * 32, i * 32 + 32) }
  })
  sorted.sort((a, b) => Buffer.compare(a.hash, b.hash))
  return { addresses, sorted }
}

/** Writes the rows that commits would write, but for the trie, which no read looks at. */
function load(store: Store, { sorted }: Keys, versions: number): void {
  const size = Math.ceil(sorted.length / blocksPerVersion)
  for (let version = 0; version < versions; version++)
    for (let part = 0; part < blocksPerVersion; part++) {
      const block = 1 + version * blocksPerVersion + part
      store.write((txn) => {
        for (const { hash, address } of sorted.slice(part * size, (part + 1) * size)) {
          const before = parts.accounts.cell(txn, hash, 'latest')
          const account = {
            nonce: BigInt(version),
            balance: 10n ** 18n,
            codeHash: emptyCodeHash,
            storageRoot: emptyTrieRoot,
          }
          parts.accounts.write(txn, block, [{ key: hash, tag: address, before, value: encodeStoredAccount(account) }])
        }
      })
    }
}

interface Draw {
  readonly address: Address
  readonly hash: Uint8Array
  readonly version: number
}

/** Random accounts and versions, drawn beforehand: their keys come from the processor's cache as in a real call. */
function draw({ addresses }: Keys, versions: number): Draw[] {
  return Array.from({ length: draws }, () => {
    const address = addresses[Math.floor(Math.random() * addresses.length)]!.slice() as Uint8Array as Address
    return { address, hash: keccak256(address), version: Math.floor(Math.random() * versions) }
  })
}

/** Reads per second of CPU time, which is what an otherwise idle core gives. */
function rateOf(drawn: readonly Draw[], read: (draw: Draw) => unknown): number {
  const clock = createCpuClock()
  const pass = () => {
    for (const each of drawn) if (read(each) === undefined) throw new Error('an account is missing')
  }
  pass()
  const start = clock()
  let count = 0
  do {
    pass()
    count += drawn.length
  } while (clock() - start < measuredSeconds)
  return count / (clock() - start)
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const accounts = options.number('accounts', 1_000_000)
  const versions = options.number('versions', 10)
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-reads-'))
  try {
    const store = openStore(join(folder, 'database'))
    const keys = makeKeys(accounts)
    const started = performance.now()
    load(store, keys, versions)
    const loadSeconds = (performance.now() - started) / 1000
    const snapshot = store.openSnapshot()
    const states = createStateStore(store)
    const latest = states.at(snapshot, 'latest')
    const views = Array.from({ length: versions }, (_, v) => states.at(snapshot, (v + 1) * blocksPerVersion))
    const drawn = draw(keys, versions)
    const blockOf = (version: number) => (version + 1) * blocksPerVersion
    const rates = {
      latest: rateOf(drawn, ({ address }) => latest.account(address)),
      latestByHash: rateOf(drawn, ({ hash }) => parts.accounts.peek(snapshot, hash, 'latest')),
      asOf: rateOf(drawn, ({ address, version }) => views[version]!.account(address)),
      asOfByHash: rateOf(drawn, ({ hash, version }) => parts.accounts.peek(snapshot, hash, blockOf(version))),
    }
    snapshot.close()
    await store.close()
    const megabytes = folderSize(folder) / 1e6
    return {
      title: `Random reads per second of CPU time, ${round(accounts)} accounts × ${versions} versions (${round(megabytes)} MB, loaded in ${round(loadSeconds)} s)`,
      columns: ['read', 'by address: hashed, decoded', 'by hash: bytes only'],
      rows: [
        ['latest', round(rates.latest), round(rates.latestByHash)],
        ['as of a random block', round(rates.asOf), round(rates.asOfByHash)],
      ],
      json: { accounts, versions, loadSeconds, megabytes, rates },
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const bench = {
  name: 'stateReads',
  doc: 'Random account reads, latest and as of a block, in a large state (--versions 100 builds 100 million versions).',
  takes,
  run,
}
