import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ForkName, forks } from '../../src/forks/table.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { fuzzClaims } from './claims/fuzzClaims.ts'
import { fuzzContracts } from './contracts/fuzzContracts.ts'
import { fuzzCorruption } from './corruption/fuzzCorruption.ts'
import { fuzzEstimates } from './estimates/fuzzEstimates.ts'
import { fuzzEvm } from './fuzzEvm.ts'
import { fuzzStore } from './fuzzStore.ts'
import { fuzzGenesis } from './genesis/fuzzGenesis.ts'
import { fuzzHttp } from './http/fuzzHttp.ts'
import { runOracleStateTests } from './oracleStateTests.ts'
import { fuzzP2p } from './p2p/fuzzP2p.ts'
import { fuzzReaders } from './readers/fuzzReaders.ts'
import { fuzzRepair } from './repair/fuzzRepair.ts'
import { fuzzRpc } from './rpc/fuzzRpc.ts'
import { fuzzSizes } from './sizes/fuzzSizes.ts'
import { fuzzSyncKills } from './syncKills/fuzzSyncKills.ts'

const usage = `Usage: npm run fuzz -- evm [--minutes M] [--count N] [--seed S] [--fork FORK] [--no-geth] [--peers DIR]
       npm run fuzz -- store [--minutes M] [--count N] [--seed S]
       npm run fuzz -- corruption [--minutes M] [--count N] [--seed S]
       npm run fuzz -- repair [--minutes M] [--count N] [--seed S]
       npm run fuzz -- rpc [--minutes M] [--count N] [--seed S] [--data DIR]
       npm run fuzz -- genesis [--minutes M] [--count N] [--seed S]
       npm run fuzz -- http [--minutes M] [--count N] [--seed S]
       npm run fuzz -- p2p [--minutes M] [--count N] [--seed S]
       npm run fuzz -- claims [--minutes M] [--seed S]
       npm run fuzz -- contracts [--minutes M] [--count N] [--seed S]
       npm run fuzz -- readers [--minutes M] [--seed S]
       npm run fuzz -- sync-kills [--count N] [--seed S]
       npm run fuzz -- estimates [--minutes M] [--count N] [--seed S] [--fork FORK]
       npm run fuzz -- sizes [--minutes M] [--count N] [--seed S]
       npm run fuzz -- oracle-statetests [--bundles PATTERN] [--sample N] [--data DIR]

evm                Random programs on the fast, exact, tracing and sliced engine, the oracle and geth's evm tool; for every 20th seed also
                   jumps to every position of a program, and gas that ends at every instruction.
  --minutes M      How long (default 1).
  --count N        Stop after N scenarios.
  --seed S         First seed (default: taken from the clock); a scenario's seed is S plus its position.
  --fork FORK      Only this fork.
  --no-geth        Without geth.
  --peers DIR      Folder with geth/geth (default ../shared/peers beside this package).
store              Random blocks in stores that are mapped again, closed and opened all the time. Options as above.
corruption         Bytes changed and files cut in copies of a data directory: found by quoin verify, or without effect. As above.
repair             Random chains with damaged pages: quoin verify --repair keeps what is sound, and says what is lost. As above.
rpc                Mutated requests to a real node over HTTP, WebSocket and GraphQL. Options as above.
genesis            Genesis files with odd keys and numbers for a node, doctor and operator: each works or says why not. As above.
http               Clients that pipeline, pause, split and repeat requests over HTTP and WebSocket, with TLS and without, to servers in the thread of the
                   chain and in one of their own, while blocks are made: each gets the answers of a node that keeps none, in order. As above.
p2p                Mutated handshakes, messages and packets to a real validator. Options as above.
claims             Strangers claim blocks that do not exist to four real validators, which must keep their pace.
                   QBFT, IBFT 2.0 or Clique by the seed.
contracts          Hostile and random code in the contracts that four real validators ask (accounts, nodes, validators, flexible groups): they
                   must keep their pace and the same chain. As above.
readers            10 clients write and 50 read over HTTP, WebSocket and GraphQL while readers are killed and stopped: no
                   answer may be older than what its client has seen.
sync-kills         A node that fetches 10,000 blocks from another is killed N times (default 50): it goes on with what it had, and comes to
                   the same head.
estimates          eth_estimateGas for random contract calls: each estimate works and is at most 1.5 % above the least. As above.
sizes              Blocks, transactions and answers at, below and above their limits in bytes, and a second opinion on each. As above.
oracle-statetests  The oracle alone on the state tests of ethereum/tests.
  --bundles TEXT   Bundles whose name begins so (default state-develop).
  --sample N       Every N-th test (default 1).
  --data DIR       Folder of test data (default ../shared/conformance beside this package).
`

const text = { type: 'string' } as const
const options = {
  minutes: text,
  count: text,
  seed: text,
  fork: text,
  peers: text,
  'no-geth': { type: 'boolean' },
  bundles: text,
  sample: text,
  data: text,
} as const

/** A command line that cannot be understood. */
class UsageError extends Error {}

function read() {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function positive(name: string, given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise
  const value = Number(given)
  if (!(value > 0)) throw new UsageError(`--${name} takes a number above 0, not '${given}'.`)
  return value
}

function forkOf(name: string | undefined): ForkName | undefined {
  if (name === undefined) return undefined
  const found = forks.find((fork) => fork.name === name)
  if (!found) throw new UsageError(`Unknown fork ${name}. Forks: ${forks.map((fork) => fork.name).join(', ')}.`)
  return found.name
}

async function main(): Promise<number> {
  const { values, positionals } = read()
  const [target] = positionals
  const extent = {
    minutes: positive('minutes', values.minutes, values.count === undefined ? 1 : 24 * 60),
    count: positive('count', values.count, Number.MAX_SAFE_INTEGER),
    seed: positive('seed', values.seed, (Date.now() % 1_000_000) * 1000),
  }
  const data = resolve(values.data ?? join(packageRoot, '../shared/conformance'))
  if (target === 'store') return fuzzStore(extent) ? 0 : 1
  if (target === 'corruption') return (await fuzzCorruption(extent)) ? 0 : 1
  if (target === 'repair') return (await fuzzRepair(extent)) ? 0 : 1
  if (target === 'rpc') return (await fuzzRpc({ ...extent, data })) ? 0 : 1
  if (target === 'genesis') return (await fuzzGenesis(extent)) ? 0 : 1
  if (target === 'http') return (await fuzzHttp(extent)) ? 0 : 1
  if (target === 'p2p') return (await fuzzP2p(extent)) ? 0 : 1
  if (target === 'claims') return (await fuzzClaims(extent)) ? 0 : 1
  if (target === 'contracts') return (await fuzzContracts(extent)) ? 0 : 1
  if (target === 'readers') return (await fuzzReaders(extent)) ? 0 : 1
  if (target === 'sync-kills') return (await fuzzSyncKills(extent)) ? 0 : 1
  if (target === 'estimates') return fuzzEstimates({ ...extent, fork: forkOf(values.fork) }) ? 0 : 1
  if (target === 'sizes') return fuzzSizes(extent) ? 0 : 1
  if (target === 'evm') {
    const peers = resolve(values.peers ?? join(packageRoot, '../shared/peers'))
    const passed = await fuzzEvm({
      ...extent,
      fork: forkOf(values.fork),
      peers: values['no-geth'] ? undefined : peers,
    })
    return passed ? 0 : 1
  }
  if (target === 'oracle-statetests') {
    const bundles = new RegExp(`^${values.bundles ?? 'state-develop'}`)
    return (await runOracleStateTests(data, bundles, positive('sample', values.sample, 1))) ? 0 : 1
  }
  if (target !== undefined)
    throw new UsageError(
      `Unknown target ${target}. Targets: evm, store, corruption, repair, rpc, genesis, http, p2p, claims, contracts, readers, sync-kills, estimates, oracle-statetests.`,
    )
  process.stdout.write(usage)
  return 0
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(error.message + '\n')
  process.exitCode = 2
}
