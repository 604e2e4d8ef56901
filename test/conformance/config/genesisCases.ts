import { type ChainSpec, createChainSpec } from '../../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../../src/forks/genesisFile.ts'
import { unknownKeys } from '../../../src/forks/unknownKeys.ts'
import type { Data } from '../data.ts'
import type { Case } from '../suite.ts'
import { expectFailure, expectSame } from './expect.ts'

/** What Besu's parser of the section `config` finds there, or why Quoin does not take it. */
interface GenesisCase {
  readonly name: string
  /** The file is that section alone. */
  readonly bare?: true
  /** What the file is refused for as a genesis file, in Besu too; undefined if it is one. */
  readonly missing?: string
  readonly forks?: readonly string[]
  readonly consensus?: string
  readonly unknown?: readonly string[]
  /** Why its rules are refused. */
  readonly refused?: string
  also?(spec: ChainSpec): void
}

const early = ['homestead@1', 'tangerineWhistle@2', 'spuriousDragon@3', 'byzantium@1035301']
const transitionBlocks = (spec: ChainSpec) =>
  spec.consensus.kind === 'ibft2' ? spec.consensus.transitions.map(({ block }) => Number(block)) : []
const classic = 'Ethereum Classic rules are not supported'

const list: readonly GenesisCase[] = [
  { name: 'all_forks', missing: 'gasLimit', refused: classic },
  {
    name: 'preMerge',
    consensus: 'ethash',
    forks: ['london@0'],
    unknown: ['config.phillyblock'],
  },
  {
    name: 'valid_config',
    bare: true,
    missing: 'gasLimit',
    consensus: 'ibft2',
    forks: early,
    also: (spec) => expectSame('transitions', transitionBlocks(spec), [20, 25]),
  },
  {
    name: 'valid_config_with_custom_forks',
    bare: true,
    missing: 'gasLimit',
    consensus: 'ibft2',
    forks: [...early, 'london@2222222'],
    also: (spec) => expectSame('zeroBaseFee', spec.zeroBaseFee, true),
  },
  { name: 'valid_config_with_etc_forks', bare: true, missing: 'gasLimit', refused: classic },
  {
    name: 'valid_config_with_migration_to_qbft',
    bare: true,
    missing: 'gasLimit',
    consensus: 'ibft2',
    forks: early,
    also(spec) {
      const { consensus } = spec
      const successor = consensus.kind === 'ibft2' ? consensus.successor : undefined
      expectSame('successor', [successor?.config.kind, successor?.startBlock], ['qbft', 123n])
    },
  },
  { name: 'valid_config_with_unexpected_forks', bare: true, missing: 'gasLimit', refused: classic },
]

async function check(json: object, one: GenesisCase): Promise<void> {
  // What a genesis file has beside its section `config`.
  const rest = { gasLimit: '0x1fffffffffffff', difficulty: '0x1', alloc: {} }
  const genesis = toGenesisFile(one.bare ? { ...rest, config: json } : { ...rest, ...json })
  if (one.refused !== undefined) return expectFailure(() => createChainSpec(genesis), one.refused)
  const spec = createChainSpec(genesis)
  expectSame('consensus', spec.consensus.kind, one.consensus)
  expectSame(
    'forks',
    spec.activations.slice(1).map(({ fork, at }) => `${fork}@${at}`),
    one.forks,
  )
  expectSame(
    'unknown keys',
    unknownKeys(genesis).map(({ key }) => key),
    one.unknown ?? [],
  )
  one.also?.(spec)
}

/** The genesis files of the tests of Besu's parser; most of them are only a part of one. */
export function* genesisCases(data: Data): Iterable<Case> {
  for (const one of list) {
    const json = data.json(`besu-config/genesis-config/${one.name}.json`) as object
    yield { name: `genesis-config/${one.name}.json`, run: () => check(json, one) }
    if (one.missing !== undefined)
      yield {
        name: `genesis-config/${one.name}.json as a genesis file, which it is not`,
        run: () => expectFailure(() => toGenesisFile(json), `missing value for '${one.missing}'`),
      }
  }
}
