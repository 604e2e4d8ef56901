import { type ChainSpec, createChainSpec } from '../forks/chainSpec.ts'
import { toGenesisFile } from '../forks/genesisFile.ts'
import { type ForkName, forkIndex, forks } from '../forks/table.ts'
import { Mismatch } from './expect.ts'

/** Fork names in tests that are not our names capitalised. */
const otherNames: Readonly<Record<string, ForkName>> = {
  Dao: 'dao',
  EIP150: 'tangerineWhistle',
  EIP158: 'spuriousDragon',
  EIP2384: 'muirGlacier',
  ConstantinopleFix: 'petersburg',
  Merge: 'paris',
}

/** Our fork of a name in tests. */
export function forkNamed(name: string): ForkName {
  const other = otherNames[name]
  if (other) return other
  const own = name.charAt(0).toLowerCase() + name.slice(1)
  const fork = forks.find((known) => known.name === own)
  if (!fork) throw new Mismatch(`unknown fork ${name}`)
  return fork.name
}

type Config = Record<string, unknown>

/** Activates a fork at a block, a timestamp or (the merge) a total difficulty. */
function activate(config: Config, fork: ForkName, at: string): void {
  if (forkIndex(fork) >= forkIndex('paris')) {
    // Before the merge, the chain has the last proof-of-work fork.
    config['grayGlacierBlock'] ??= config['arrowGlacierBlock'] === undefined ? 0 : undefined
    config['terminalTotalDifficulty'] ??= fork === 'paris' ? at : 0
  }
  if (fork !== 'paris') config[forks[forkIndex(fork)]!.key] = at
}

/** Parses the end of a transition's name: `5`, `Time15k` or `DiffC0000`. */
function transitionPoint(text: string): string {
  const time = /^Time([0-9]+)(k?)$/.exec(text)
  if (time) return String(Number(time[1]) * (time[2] ? 1000 : 1))
  const difficulty = /^Diff([0-9A-F]+)$/.exec(text)
  return difficulty ? `0x${difficulty[1]}` : text
}

/** Public networks as of when the tests that name them were written. */
const publicNetworks: Readonly<Record<string, Config>> = {
  MainNetwork: {
    homesteadBlock: 1_150_000,
    daoForkBlock: 1_920_000,
    eip150Block: 2_463_000,
    byzantiumBlock: 4_370_000,
  },
  Ropsten: { homesteadBlock: 0, byzantiumBlock: 1_700_000, constantinopleBlock: 4_230_000 },
}

function configOf(network: string): Config {
  const known = publicNetworks[network]
  if (known) return { ethash: {}, ...known }
  const config: Config = { chainId: 1, ethash: {} }
  const transition = /^(.+)To(.+)At(.+)$/.exec(network)
  activate(config, forkNamed(transition?.[1] ?? network), '0')
  if (transition) activate(config, forkNamed(transition[2]!), transitionPoint(transition[3]!))
  return config
}

const specs = new Map<string, ChainSpec>()

/** The chain spec of a test's `network`, such as `London` or `BerlinToLondonAt5`. */
export function networkSpec(network: string): ChainSpec {
  let spec = specs.get(network)
  if (!spec) {
    const genesis = toGenesisFile({ config: configOf(network), gasLimit: '0x1', difficulty: '0x0', alloc: {} })
    specs.set(network, (spec = createChainSpec(genesis)))
  }
  return spec
}
