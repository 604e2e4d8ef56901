import { join, resolve } from 'node:path'
import { type ForkName, forks } from '../../src/forks/table.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { runCampaign, type Tally, UsageError } from '../support/runCampaign.ts'
import { fuzzClaims } from './claims/fuzzClaims.ts'
import { fuzzContracts } from './contracts/fuzzContracts.ts'
import { fuzzCorruption } from './corruption/fuzzCorruption.ts'
import { fuzzEstimates } from './estimates/fuzzEstimates.ts'
import type { Extent } from './extent.ts'
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
import { fuzzTokens } from './tokens/fuzzTokens.ts'

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
       npm run fuzz -- tokens [--minutes M] [--count N] [--seed S]
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
tokens             20 random reorganisations of a chain with tokens, true and hostile ones: the index of tokens is one made anew. As above.
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

/** What the options ask for. */
interface Asked {
  readonly extent: Extent
  readonly fork: ForkName | undefined
  readonly peers: string | undefined
  readonly data: string
  readonly bundles: RegExp
  readonly sample: number
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

const targets = {
  evm: ({ extent, fork, peers }) => fuzzEvm({ ...extent, fork, peers }),
  store: ({ extent }) => fuzzStore(extent),
  corruption: ({ extent }) => fuzzCorruption(extent),
  repair: ({ extent }) => fuzzRepair(extent),
  rpc: ({ extent, data }) => fuzzRpc({ ...extent, data }),
  genesis: ({ extent }) => fuzzGenesis(extent),
  http: ({ extent }) => fuzzHttp(extent),
  p2p: ({ extent }) => fuzzP2p(extent),
  claims: ({ extent }) => fuzzClaims(extent),
  contracts: ({ extent }) => fuzzContracts(extent),
  readers: ({ extent }) => fuzzReaders(extent),
  'sync-kills': ({ extent }) => fuzzSyncKills(extent),
  estimates: ({ extent, fork }) => fuzzEstimates({ ...extent, fork }),
  sizes: ({ extent }) => fuzzSizes(extent),
  tokens: ({ extent }) => fuzzTokens(extent),
  'oracle-statetests': ({ data, bundles, sample }) => runOracleStateTests(data, bundles, sample),
} satisfies Record<string, (asked: Asked) => Tally | Promise<Tally>>

await runCampaign({
  usage,
  options,
  words: 1,
  run({ values, positionals: [target] }) {
    if (target === undefined) return undefined
    const names = Object.keys(targets) as (keyof typeof targets)[]
    const name = names.find((one) => one === target)
    if (name === undefined) throw new UsageError(`Unknown target ${target}. Targets: ${names.join(', ')}.`)
    return targets[name]({
      extent: {
        minutes: positive('minutes', values.minutes, values.count === undefined ? 1 : 24 * 60),
        count: positive('count', values.count, Number.MAX_SAFE_INTEGER),
        seed: positive('seed', values.seed, (Date.now() % 1_000_000) * 1000),
      },
      fork: forkOf(values.fork),
      peers: values['no-geth'] ? undefined : resolve(values.peers ?? join(packageRoot, '../shared/peers')),
      data: resolve(values.data ?? join(packageRoot, '../shared/conformance')),
      bundles: new RegExp(`^${values.bundles ?? 'state-develop'}`),
      sample: positive('sample', values.sample, 1),
    })
  },
})
