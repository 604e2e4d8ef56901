import { type Address, toAddress } from '../primitives/bytes.ts'
import type { AccountEdit } from '../types/accountEdit.ts'
import type { Header } from '../types/header.ts'
import { type Activation, activationsOf, type BlobChange, blobChangesOf, blobSchedulesOf } from './activations.ts'
import { type ConsensusConfig, consensusOf } from './consensusConfig.ts'
import { GenesisError } from './fault.ts'
import type { GenesisFile } from './genesisFile.ts'
import { booleanMember, bytesMember, type GenesisObject, integerMember, member, numberMember } from './jsonObject.ts'
import { type Rules, rulesOf } from './rules.ts'
import { type ForkName, forkIndex, forks } from './table.ts'

/** The fields of a header that decide which rules apply to the block. */
export interface Position {
  readonly number: bigint
  readonly timestamp: bigint
  /** 0 from the merge on; undefined if it is not known yet: then the fork schedule alone decides. */
  readonly difficulty?: bigint
}

/** A network: its genesis, its consensus and the rules at each block. */
export interface ChainSpec {
  readonly chainId: bigint
  readonly genesis: GenesisFile
  readonly consensus: ConsensusConfig
  readonly activations: readonly Activation[]
  readonly blobChanges: readonly BlobChange[]
  readonly terminalTotalDifficulty: bigint | undefined
  readonly zeroBaseFee: boolean
  readonly depositContract: Address | undefined
  /** Changes with which a block begins that no transaction makes; only the development network has them. */
  editsOf?(header: Pick<Header, 'extraData'>): readonly AccountEdit[]
  /** Returns the rules of a block: one frozen object per fork and blob schedule. */
  rulesAt(position: Position): Rules
}

/** Words of a stack, of which the EVM reserves one for each nested call. */
const maxStackSize = 16_384

const supportedForkKeys = new Set<string>(forks.map(({ key }) => key.toLowerCase()))

/** Refuses keys that would change the rules in unsupported ways. */
function refuseUnknownRules(config: GenesisObject): void {
  const curve = member(config, 'ecCurve')
  if (curve !== undefined && curve !== 'secp256k1')
    throw new GenesisError({
      code: 'GENESIS_UNSUPPORTED',
      key: 'config.ecCurve',
      reason: `the curve ${String(curve)} is not supported, only secp256k1`,
    })
  const classic = [
    'classicforkblock',
    'ecip1015block',
    'diehardblock',
    'gothamblock',
    'ecip1041block',
    'atlantisblock',
    'aghartablock',
    'phoenixblock',
    'thanosblock',
    'magnetoblock',
    'mystiqueblock',
    'spiralblock',
  ]
  for (const key of classic)
    if (config.has(key))
      throw new GenesisError({
        code: 'GENESIS_UNSUPPORTED',
        key: `config.${key}`,
        reason: 'Ethereum Classic rules are not supported',
      })
  for (const key of config.keys())
    if (/^(futureeips|experimentaleips)time$/.test(key) && !supportedForkKeys.has(key))
      throw new GenesisError({
        code: 'GENESIS_UNSUPPORTED',
        key: `config.${key}`,
        reason: 'experimental rules are not supported',
      })
}

function defaultChainId(consensus: ConsensusConfig): bigint {
  return consensus.kind === 'clique' ? 4n : 1n
}

/** What a genesis file does not say. */
export interface ChainSpecOptions {
  /** Contracts may send transactions, which a development network allows to anyone who impersonates them. */
  readonly contractsMaySend?: boolean
}

/** Creates the chain specification of a genesis file. */
export function createChainSpec(genesis: GenesisFile, options: ChainSpecOptions = {}): ChainSpec {
  const { config } = genesis
  refuseUnknownRules(config)
  const consensus = consensusOf(config)
  const activations = activationsOf(config)
  const blobChanges = blobChangesOf(config)
  const deposit = bytesMember(config, 'depositContractAddress', 20)
  const terminalTotalDifficulty = numberMember(config, 'terminalTotalDifficulty')
  return {
    chainId: numberMember(config, 'chainId') ?? defaultChainId(consensus),
    genesis,
    consensus,
    activations,
    blobChanges,
    terminalTotalDifficulty,
    zeroBaseFee: booleanMember(config, 'zeroBaseFee', false),
    depositContract: deposit && toAddress(deposit),
    rulesAt: createRulesAt(config, consensus, activations, blobChanges, terminalTotalDifficulty, options),
  }
}

function createRulesAt(
  config: GenesisObject,
  consensus: ConsensusConfig,
  activations: readonly Activation[],
  blobChanges: readonly BlobChange[],
  terminalTotalDifficulty: bigint | undefined,
  { contractsMaySend = false }: ChainSpecOptions,
): ChainSpec['rulesAt'] {
  const schedules = blobSchedulesOf(config)
  const cache = new Map<string, Rules>()
  const paris = forkIndex('paris')
  const stackSize = integerMember(config, 'evmStackSize', 0, 1, maxStackSize)
  const codeSize = integerMember(config, 'contractSizeLimit', 0, 1)
  const afterMerge = consensus.kind === 'ethash' || consensus.kind === 'none'

  function build(fork: ForkName, change: BlobChange | undefined): Rules {
    const base = rulesOf(fork)
    return Object.freeze({
      ...base,
      maxCodeSize: base.maxCodeSize === Number.MAX_SAFE_INTEGER ? base.maxCodeSize : codeSize || base.maxCodeSize,
      stackSize: stackSize || base.stackSize,
      blobs: base.blobs && (change?.blobs ?? schedules.get(fork) ?? base.blobs),
      // A network with its own consensus keeps it through Paris: there only the EVM's rules change.
      proofOfStake: base.proofOfStake && afterMerge,
      contractsMaySend,
    })
  }

  return ({ number, timestamp, difficulty }) => {
    let index = 0
    for (const { fork, by, at } of activations)
      if ((by === 'block' ? number : timestamp) >= at) index = Math.max(index, forkIndex(fork))
    if (terminalTotalDifficulty !== undefined && afterMerge) {
      // The merge happens at a total difficulty, not at a block number: a difficulty of 0 marks the blocks after it.
      if (difficulty === 0n || (difficulty === undefined && terminalTotalDifficulty === 0n))
        index = Math.max(index, paris)
      else if (difficulty !== undefined && index === paris) index = paris - 1
    }
    const fork = forks[index]!.name
    const change = blobChanges.findLast(({ time }) => timestamp >= time)
    const key = `${fork} ${change?.name ?? ''}`
    let rules = cache.get(key)
    if (!rules) cache.set(key, (rules = build(fork, change)))
    return rules
  }
}
