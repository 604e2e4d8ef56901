import type { Address } from '../primitives/bytes.ts'
import { bftTransitionsOf, emptyBlockPeriodOf } from './bftTransitions.ts'
import { GenesisError } from './fault.ts'
import {
  addressMember,
  booleanMember,
  integerMember,
  type JsonObject,
  numberMember,
  objectMember,
} from './jsonObject.ts'

export interface EthashConfig {
  readonly kind: 'ethash'
  readonly fixedDifficulty: bigint | undefined
}

export interface CliqueConfig {
  readonly kind: 'clique'
  readonly blockPeriodSeconds: number
  readonly epochLength: number
  readonly createEmptyBlocks: boolean
  /** QBFT's part of a chain that begins as Clique. */
  readonly successor: Successor | undefined
}

/** The engine that takes over, and the first block that it makes. */
export interface Successor {
  readonly startBlock: bigint
  readonly config: BftConfig
}

/** What a BFT network can change at a block without changing its engine. */
export interface BftSettings {
  readonly blockPeriodSeconds: number
  /** Seconds between blocks that have no transactions, only of QBFT; undefined: as between others. */
  readonly emptyBlockPeriodSeconds: number | undefined
  readonly blockReward: bigint
  /** Who collects fees and rewards; undefined: the proposer. */
  readonly miningBeneficiary: Address | undefined
  /** Contract that names the validators, only of QBFT; undefined: headers do, and votes change them. */
  readonly validatorContract: Address | undefined
}

/** From a block on: what holds from there, and the validators where the file sets them anew. */
export interface BftTransition extends BftSettings {
  readonly block: bigint
  readonly validators: readonly Address[] | undefined
}

/** How much is kept of what other validators send. */
export interface BftMessageLimits {
  readonly duplicateMessageLimit: number
  readonly gossipedHistoryLimit: number
  readonly futureMessagesLimit: number
  readonly futureMessagesMaxDistance: number
}

export interface BftConfig extends BftSettings {
  readonly kind: 'ibft2' | 'qbft'
  readonly epochLength: number
  readonly requestTimeoutSeconds: number
  readonly messageLimits: BftMessageLimits
  /** In the order of their blocks; each has inherited what it does not set. */
  readonly transitions: readonly BftTransition[]
  /** QBFT's part of a chain that begins as IBFT 2.0. */
  readonly successor: Successor | undefined
}

/** Who may make blocks. `none` is a chain whose producer lives elsewhere: after the merge, or imported only. */
export type ConsensusConfig = EthashConfig | CliqueConfig | BftConfig | { readonly kind: 'none' }

function bftSettings(kind: BftConfig['kind'], o: JsonObject): BftSettings {
  return {
    blockPeriodSeconds: integerMember(o, 'blockPeriodSeconds', 1, 1),
    emptyBlockPeriodSeconds: kind === 'qbft' ? emptyBlockPeriodOf(o, undefined) : undefined,
    blockReward: numberMember(o, 'blockReward') ?? 0n,
    miningBeneficiary: addressMember(o, 'miningBeneficiary'),
    validatorContract: kind === 'qbft' ? addressMember(o, 'validatorContractAddress') : undefined,
  }
}

function bft(kind: BftConfig['kind'], o: JsonObject, config: JsonObject): BftConfig {
  const settings = bftSettings(kind, o)
  return {
    kind,
    ...settings,
    epochLength: integerMember(o, 'epochLength', 30_000, 1),
    requestTimeoutSeconds: integerMember(o, 'requestTimeoutSeconds', 1, 1),
    messageLimits: {
      duplicateMessageLimit: integerMember(o, 'duplicateMessageLimit', 100, 0),
      gossipedHistoryLimit: integerMember(o, 'gossipedHistoryLimit', 1000, 0),
      futureMessagesLimit: integerMember(o, 'futureMessagesLimit', 1000, 0),
      futureMessagesMaxDistance: integerMember(o, 'futureMessagesMaxDistance', 10, 0),
    },
    transitions: bftTransitionsOf(kind, config, settings),
    successor: undefined,
  }
}

/** Besu's spelling of a network that changes to QBFT: the section of another engine too, and QBFT's first block. */
function successorOf(qbft: JsonObject, config: JsonObject): Successor {
  const startBlock = numberMember(qbft, 'startBlock')
  if (startBlock === undefined) throw new GenesisError({ code: 'GENESIS_MISSING', key: 'qbft.startBlock' })
  if (startBlock === 0n)
    throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key: 'qbft.startBlock', have: '0', want: 'at least 1' })
  return { startBlock, config: bft('qbft', qbft, config) }
}

/** geth's names for the two numbers are read too when Besu's are absent. */
function clique(o: JsonObject, successor: Successor | undefined): CliqueConfig {
  return {
    kind: 'clique',
    blockPeriodSeconds: integerMember(o, 'blockPeriodSeconds', integerMember(o, 'period', 15), 0),
    epochLength: integerMember(o, 'epochLength', integerMember(o, 'epoch', 30_000, 1), 1),
    createEmptyBlocks: booleanMember(o, 'createEmptyBlocks', true),
    successor,
  }
}

/** The engine that a genesis file names; with several keys the first in Besu's order counts. */
export function consensusOf(config: JsonObject): ConsensusConfig {
  const ibft2 = objectMember(config, 'ibft2')
  const qbft = objectMember(config, 'qbft')
  if (ibft2 && qbft) return { ...bft('ibft2', ibft2, config), successor: successorOf(qbft, config) }
  const ethash = objectMember(config, 'ethash')
  if (ethash) return { kind: 'ethash', fixedDifficulty: numberMember(ethash, 'fixedDifficulty') }
  if (ibft2) return bft('ibft2', ibft2, config)
  if (config.has('ibft'))
    throw new GenesisError({
      code: 'GENESIS_UNSUPPORTED',
      key: 'config.ibft',
      reason: 'IBFT 1 is no longer run by any node; use ibft2 or qbft',
    })
  const signers = objectMember(config, 'clique')
  // Besu knows no change from Clique: without a first block QBFT is the engine from the start, as there.
  if (qbft && signers && numberMember(qbft, 'startBlock') !== undefined)
    return clique(signers, successorOf(qbft, config))
  if (qbft) return bft('qbft', qbft, config)
  return signers ? clique(signers, undefined) : { kind: 'none' }
}
