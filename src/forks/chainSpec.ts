import { type Address, toAddress } from '../primitives/bytes.ts'
import type { AccountEdit } from '../types/accountEdit.ts'
import type { Header } from '../types/header.ts'
import { type Activation, activationsOf, type BlobChange, blobChangesOf, blobSchedulesOf } from './activations.ts'
import { bftSettingsAt } from './bftTransitions.ts'
import { type ConsensusConfig, consensusOf } from './consensusConfig.ts'
import { GenesisError } from './fault.ts'
import type { GenesisFile } from './genesisFile.ts'
import { refuseUnsupportedKeys } from './genesisKeys.ts'
import { booleanMember, bytesMember, type GenesisObject, integerMember, numberMember } from './jsonObject.ts'
import { type Rules, rulesOf } from './rules.ts'
import { placedContracts } from './systemAccounts.ts'
import { calledContractsOf, placesSystemContracts } from './systemContracts.ts'
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
  /** Whether each block's base fee is the minimum gas price of its proposer. */
  readonly fixedBaseFee: boolean
  readonly depositContract: Address | undefined
  /** Changes with which a block begins that no transaction makes; only the development network has them. */
  editsOf?(header: Pick<Header, 'extraData'>): readonly AccountEdit[]
  /** Returns the rules of a block: one frozen object per fork and blob schedule. */
  rulesAt(position: Position): Rules
}

/** Words of a stack, of which the EVM reserves one for each nested call. */
const maxStackSize = 16_384

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
  refuseUnsupportedKeys(config)
  const consensus = consensusOf(config)
  checkTxGasLimits(consensus, genesis.gasLimit)
  const activations = activationsOf(config)
  const blobChanges = blobChangesOf(config)
  const baseFeeRules = baseFeeRulesOf(config)
  const deposit = bytesMember(config, 'depositContractAddress', 20)
  const terminalTotalDifficulty = numberMember(config, 'terminalTotalDifficulty')
  return {
    chainId: numberMember(config, 'chainId') ?? defaultChainId(consensus),
    genesis,
    consensus,
    activations,
    blobChanges,
    terminalTotalDifficulty,
    ...baseFeeRules,
    depositContract: deposit && toAddress(deposit),
    rulesAt: createRulesAt(genesis, consensus, activations, blobChanges, terminalTotalDifficulty, {
      ...options,
      ...baseFeeRules,
    }),
  }
}

type BaseFeeRules = Pick<ChainSpec, 'zeroBaseFee' | 'fixedBaseFee'>

function baseFeeRulesOf(config: GenesisObject): BaseFeeRules {
  const zeroBaseFee = booleanMember(config, 'zeroBaseFee', false)
  const fixedBaseFee = booleanMember(config, 'fixedBaseFee', false)
  if (zeroBaseFee && fixedBaseFee)
    throw new GenesisError({
      code: 'GENESIS_UNSUPPORTED',
      key: 'config.fixedBaseFee',
      reason: 'zeroBaseFee and fixedBaseFee exclude each other',
    })
  return { zeroBaseFee, fixedBaseFee }
}

/** A limit above that of blocks says nothing: it is a mistake, to Besu too. */
function checkTxGasLimits(consensus: ConsensusConfig, gasLimit: bigint): void {
  if (consensus.kind === 'none' || consensus.kind === 'ethash') return
  if (consensus.successor) checkTxGasLimits(consensus.successor.config, gasLimit)
  if (consensus.kind === 'clique') return
  for (const { perTxGasLimit } of [consensus, ...consensus.transitions])
    if (perTxGasLimit !== undefined && perTxGasLimit > gasLimit)
      throw new GenesisError({
        code: 'GENESIS_INVALID_VALUE',
        key: `${consensus.kind}.perTxGasLimit`,
        have: String(perTxGasLimit),
        want: `at most the gasLimit of the file, ${gasLimit},`,
      })
}

/** Returns the maximum gas limit of transactions that a BFT network sets at a block; undefined where it sets none. */
function txGasCapAt(consensus: ConsensusConfig, moment: Position): bigint | undefined {
  if (consensus.kind === 'none' || consensus.kind === 'ethash') return undefined
  const { successor } = consensus
  if (successor && moment.number >= successor.startBlock) return bftSettingsAt(successor.config, moment).perTxGasLimit
  return consensus.kind === 'clique' ? undefined : bftSettingsAt(consensus, moment).perTxGasLimit
}

function createRulesAt(
  genesis: GenesisFile,
  consensus: ConsensusConfig,
  activations: readonly Activation[],
  blobChanges: readonly BlobChange[],
  terminalTotalDifficulty: bigint | undefined,
  { contractsMaySend = false, zeroBaseFee, fixedBaseFee }: ChainSpecOptions & BaseFeeRules,
): ChainSpec['rulesAt'] {
  const { config } = genesis
  const schedules = blobSchedulesOf(config)
  const cache = new Map<string, Rules>()
  const paris = forkIndex('paris')
  const stackSize = integerMember(config, 'evmStackSize', 0, 1, maxStackSize)
  const codeSize = integerMember(config, 'contractSizeLimit', 0, 1)
  const afterMerge = consensus.kind === 'ethash' || consensus.kind === 'none'

  const called = (isPrague: boolean) => calledContractsOf(genesis, !afterMerge, isPrague)
  const places = placesSystemContracts(genesis)

  function build(fork: ForkName, change: BlobChange | undefined, cap: bigint | undefined): Rules {
    const base = rulesOf(fork)
    const contracts = base.systemContracts && called(base.requests)
    // Osaka has no schedule of its own in Besu.
    const schedule = base.blobs && (change?.blobs ?? schedules.get(fork === 'osaka' ? 'prague' : fork) ?? base.blobs)
    // Headers of Besu end before the blob fields there. Under Prague it would need them, and makes no blocks.
    const lacksBlobs = fixedBaseFee && !afterMerge && fork === 'cancun'
    const blobs = lacksBlobs ? undefined : schedule
    return Object.freeze({
      ...base,
      maxCodeSize: base.maxCodeSize === Number.MAX_SAFE_INTEGER ? base.maxCodeSize : codeSize || base.maxCodeSize,
      stackSize: stackSize || base.stackSize,
      blobs: blobs && (zeroBaseFee || fixedBaseFee) ? { ...blobs, isFree: true } : blobs,
      beaconRoot: base.beaconRoot && !lacksBlobs,
      // A network with its own consensus keeps it through Paris: there only the EVM's rules change.
      proofOfStake: base.proofOfStake && afterMerge,
      systemContracts: contracts,
      placedContracts: places && contracts && base.requests ? placedContracts(fork, contracts) : [],
      // A network's own cap holds before Osaka as well.
      txGasCap: cap === undefined ? base.txGasCap : cap || undefined,
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
    const cap = txGasCapAt(consensus, { number, timestamp })
    const key = `${fork} ${change?.name ?? ''} ${cap ?? ''}`
    let rules = cache.get(key)
    if (!rules) cache.set(key, (rules = build(fork, change, cap)))
    return rules
  }
}
