import { isJsonObject } from '../primitives/json.ts'
import { suggest } from '../primitives/suggest.ts'
import type { GenesisFile } from './genesisFile.ts'
import { type GenesisObject, toJsonObject } from './jsonObject.ts'
import { forks } from './table.ts'

/** A key of a genesis file that nobody reads. */
export interface UnknownKey {
  /** Lower case, with the section that it is in: `config.shangaitime`. */
  readonly key: string
  /** The key that is probably meant. */
  readonly meant: string | undefined
}

/** Keys of `config` that are read, and those of Besu's and geth's files that say nothing about a private network. */
const configKeys = [
  ...forks.map(({ key }) => key),
  ...['chainId', 'ethash', 'clique', 'ibft2', 'qbft', 'transitions', 'constantinopleFixBlock', 'blobSchedule'],
  ...['terminalTotalDifficulty', 'zeroBaseFee', 'quoin'],
  ...['depositContractAddress', 'contractSizeLimit', 'evmStackSize', 'ecCurve'],
  ...[
    'eip155Block',
    'eip150Hash',
    'daoForkSupport',
    'terminalBlockHash',
    'terminalBlockNumber',
    'checkpoint',
    'discovery',
  ],
  ...['terminalTotalDifficultyPassed', 'ecip1017EraRounds', 'isQuorum', 'fixedBaseFee', 'enableVerkleAtGenesis'],
  ...[
    'withdrawalRequestContractAddress',
    'consolidationRequestContractAddress',
    'parisBlock',
    'ibft',
    'preMergeForkBlock',
  ],
]

const bftKeys = [
  ...[
    'blockPeriodSeconds',
    'emptyBlockPeriodSeconds',
    'xEmptyBlockPeriodSeconds',
    'epochLength',
    'requestTimeoutSeconds',
  ],
  ...['blockReward', 'miningBeneficiary', 'validatorContractAddress', 'startBlock', 'messageQueueLimit'],
  ...['duplicateMessageLimit', 'gossipedHistoryLimit', 'futureMessagesLimit', 'futureMessagesMaxDistance'],
  'blockPeriodMilliseconds',
]

const transitionKeys = [...bftKeys, 'block', 'validators', 'validatorSelectionMode']

/** bpo1Time, bpo2Time … */
const blobChange = /^bpo\d+time$/

/** The keys of each section whose keys are known. */
const sections: Readonly<Record<string, readonly string[]>> = {
  ethash: ['fixedDifficulty'],
  clique: ['blockPeriodSeconds', 'period', 'epochLength', 'epoch', 'createEmptyBlocks'],
  quoin: ['exactPrivateExecutionBlock'],
  ibft2: bftKeys,
  qbft: bftKeys,
}

/** Returns the keys of the genesis file's `config` that have no meaning: most likely they are misspelled. */
export function unknownKeys({ config }: GenesisFile): readonly UnknownKey[] {
  const found = unknownIn(config, 'config', configKeys)
  for (const [name, keys] of Object.entries(sections)) found.push(...inside(config.get(name), `config.${name}`, keys))
  const transitions = config.get('transitions')
  if (!isJsonObject(transitions)) return found
  for (const [name, entries] of toJsonObject(transitions, 'transitions'))
    if (Array.isArray(entries))
      for (const entry of entries) found.push(...inside(entry, `config.transitions.${name}`, transitionKeys))
  return found
}

function inside(value: unknown, at: string, known: readonly string[]): UnknownKey[] {
  return isJsonObject(value) ? unknownIn(toJsonObject(value, at), at, known) : []
}

function unknownIn(section: GenesisObject, at: string, known: readonly string[]): UnknownKey[] {
  const byLowerCase = new Map(known.map((key) => [key.toLowerCase(), key]))
  return [...section.keys()]
    .filter((key) => !byLowerCase.has(key) && !blobChange.test(key))
    .map((key) => {
      const [near] = suggest(key, [...byLowerCase.keys()])
      return { key: `${at}.${key}`, meant: near === undefined ? undefined : byLowerCase.get(near) }
    })
}
