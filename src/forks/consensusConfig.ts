import type { Address } from '../primitives/bytes.ts'
import { bftPeriodOf, bftTransitionsOf, cliqueTransitionsOf, emptyBlockPeriodOf } from './bftTransitions.ts'
import { GenesisError } from './fault.ts'
import {
  addressMember,
  booleanMember,
  type GenesisObject,
  integerMember,
  numberMember,
  objectMember,
} from './jsonObject.ts'

export interface EthashConfig {
  readonly kind: 'ethash'
  readonly fixedDifficulty: bigint | undefined
}

/** Settings that a Clique network can change by a transition. */
export interface CliqueSettings {
  readonly blockPeriodSeconds: number
  readonly createEmptyBlocks: boolean
}

export type CliqueTransition = CliqueSettings & TransitionStart

export interface CliqueConfig extends CliqueSettings {
  readonly kind: 'clique'
  readonly epochLength: number
  readonly transitions: readonly CliqueTransition[]
  /** The QBFT part of a chain that begins as Clique. */
  readonly successor: Successor | undefined
}

/** The consensus that a network changes to, and the first block under it. */
export interface Successor {
  readonly startBlock: bigint
  readonly config: BftConfig
  /** The block from which it counts epochs: 0, or the one before its first, if that is not the beginning of an epoch in any case. */
  readonly epochsFrom: bigint
}

/** Where a transition begins: at the block of this number, or with the first block at this time. */
export interface TransitionStart {
  readonly block: bigint
  /** Whether `block` is a time, in seconds since 1970. */
  readonly byTime: boolean
  /** The time from which on it has begun before its block, too: that of the first fork by time. */
  readonly noLaterThan: bigint | undefined
}

/** Settings that a BFT network can change at a block by a transition. */
export interface BftSettings {
  /** Seconds from block to block, rounded up. */
  readonly blockPeriodSeconds: number
  /** Milliseconds from block to block, where the genesis file says them: below a second blocks may have the time of their parents. */
  readonly blockPeriodMilliseconds: number | undefined
  /** Seconds between empty blocks, QBFT only; undefined: the block period. */
  readonly emptyBlockPeriodSeconds: number | undefined
  readonly blockReward: bigint
  /** The account that gets fees and rewards; undefined: the proposer. */
  readonly miningBeneficiary: Address | undefined
  /** Contract that returns the validators, QBFT only; undefined: the validators are in the header and changed by votes. */
  readonly validatorContract: Address | undefined
  /** Maximum gas limit of a transaction under any fork; 0: only that of the block; undefined: that of EIP-7825, from Osaka on. */
  readonly perTxGasLimit: bigint | undefined
}

/** Settings from a block on, and the new validators if the genesis file sets them there. */
export interface BftTransition extends BftSettings, TransitionStart {
  readonly validators: readonly Address[] | undefined
}

/** Limits on the messages of other validators that are kept. */
export interface BftMessageLimits {
  readonly duplicateMessageLimit: number
  readonly gossipedHistoryLimit: number
  readonly futureMessagesLimit: number
  readonly futureMessagesMaxDistance: number
}

/** The limits of a genesis file that sets none. */
export const defaultMessageLimits: BftMessageLimits = {
  duplicateMessageLimit: 100,
  gossipedHistoryLimit: 1000,
  futureMessagesLimit: 1000,
  futureMessagesMaxDistance: 10,
}

export interface BftConfig extends BftSettings {
  readonly kind: 'ibft2' | 'qbft'
  readonly epochLength: number
  readonly requestTimeoutSeconds: number
  readonly messageLimits: BftMessageLimits
  /** In the order of their blocks; each one inherits the settings that it does not change. */
  readonly transitions: readonly BftTransition[]
  /** The QBFT part of a chain that begins as IBFT 2.0. */
  readonly successor: Successor | undefined
}

/** The consensus of a network. `none`: this node cannot produce blocks (after the merge, or import only). */
export type ConsensusConfig = EthashConfig | CliqueConfig | BftConfig | { readonly kind: 'none' }

function bftSettings(kind: BftConfig['kind'], o: GenesisObject): BftSettings {
  return {
    ...bftPeriodOf(o, { blockPeriodSeconds: 1, blockPeriodMilliseconds: undefined }),
    perTxGasLimit: numberMember(o, 'perTxGasLimit', 63),
    emptyBlockPeriodSeconds: kind === 'qbft' ? emptyBlockPeriodOf(o, undefined) : undefined,
    blockReward: numberMember(o, 'blockReward') ?? 0n,
    miningBeneficiary: addressMember(o, 'miningBeneficiary'),
    validatorContract: kind === 'qbft' ? addressMember(o, 'validatorContractAddress') : undefined,
  }
}

function messageLimits(o: GenesisObject): BftMessageLimits {
  const limit = (key: keyof BftMessageLimits) => integerMember(o, key, defaultMessageLimits[key], 0)
  return {
    duplicateMessageLimit: limit('duplicateMessageLimit'),
    gossipedHistoryLimit: limit('gossipedHistoryLimit'),
    futureMessagesLimit: limit('futureMessagesLimit'),
    futureMessagesMaxDistance: limit('futureMessagesMaxDistance'),
  }
}

function bft(kind: BftConfig['kind'], o: GenesisObject, config: GenesisObject): BftConfig {
  const settings = bftSettings(kind, o)
  return {
    kind,
    ...settings,
    epochLength: integerMember(o, 'epochLength', 30_000, 1),
    requestTimeoutSeconds: integerMember(o, 'requestTimeoutSeconds', 1, 1),
    messageLimits: messageLimits(o),
    transitions: bftTransitionsOf(kind, config, settings),
    successor: undefined,
  }
}

/** Reads a change to QBFT as Besu spells it: sections of both consensus types, and `startBlock` in QBFT's. */
function successorOf(qbft: GenesisObject, config: GenesisObject): Successor {
  const startBlock = numberMember(qbft, 'startBlock', 64)
  if (startBlock === undefined) throw new GenesisError({ code: 'GENESIS_MISSING', key: 'qbft.startBlock' })
  if (startBlock === 0n)
    throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key: 'qbft.startBlock', have: '0', want: 'at least 1' })
  const after = bft('qbft', qbft, config)
  return { startBlock, config: after, epochsFrom: epochsFrom(startBlock - 1n, after.epochLength, config) }
}

/**
 * Besu counts epochs from the block before the change since 25.3, and from block 0 before that. It cannot change from Clique, where
 * they have always been counted from block 0.
 */
function epochsFrom(last: bigint, epochLength: number, config: GenesisObject): bigint {
  const own = objectMember(config, 'quoin')
  const fromStart = own === undefined || booleanMember(own, 'epochsFromStartBlock', true)
  return fromStart && objectMember(config, 'ibft2') && last % BigInt(epochLength) !== 0n ? last : 0n
}

/** Reads the Clique section; geth's names of the two numbers are the fallback for Besu's. */
function clique(o: GenesisObject, successor: Successor | undefined, config: GenesisObject): CliqueConfig {
  const first = {
    kind: 'clique' as const,
    blockPeriodSeconds: integerMember(o, 'blockPeriodSeconds', integerMember(o, 'period', 15), 0),
    epochLength: integerMember(o, 'epochLength', integerMember(o, 'epoch', 30_000, 1), 1),
    createEmptyBlocks: booleanMember(o, 'createEmptyBlocks', true),
    successor,
  }
  return { ...first, transitions: cliqueTransitionsOf(config, first) }
}

/** Returns the consensus of a genesis file; of several sections the first in Besu's order counts. */
export function consensusOf(config: GenesisObject): ConsensusConfig {
  const ibft2 = objectMember(config, 'ibft2')
  const qbft = objectMember(config, 'qbft')
  if (ibft2 && qbft) return { ...bft('ibft2', ibft2, config), successor: successorOf(qbft, config) }
  const ethash = objectMember(config, 'fixedDifficulty') ?? objectMember(config, 'ethash')
  if (ethash) return { kind: 'ethash', fixedDifficulty: numberMember(ethash, 'fixedDifficulty') }
  if (ibft2) return bft('ibft2', ibft2, config)
  const signers = objectMember(config, 'clique')
  // Besu cannot change from Clique to QBFT: without `startBlock` the network is QBFT from the start, as there.
  if (qbft && signers && numberMember(qbft, 'startBlock', 64) !== undefined)
    return clique(signers, successorOf(qbft, config), config)
  if (qbft) return bft('qbft', qbft, config)
  return signers ? clique(signers, undefined, config) : { kind: 'none' }
}
