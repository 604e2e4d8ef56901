import type { Address } from '../primitives/bytes.ts'
import { bftTransitionsOf } from './bftTransitions.ts'
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
}

/** What a BFT network can change at a block without changing its engine. */
export interface BftTerms {
  readonly blockPeriodSeconds: number
  readonly blockReward: bigint
  /** Who collects fees and rewards; undefined: the proposer. */
  readonly miningBeneficiary: Address | undefined
  /** Contract that names the validators, only of QBFT; undefined: headers do, and votes change them. */
  readonly validatorContract: Address | undefined
}

/** From a block on: what holds from there, and the validators where the file sets them anew. */
export interface BftTransition extends BftTerms {
  readonly block: bigint
  readonly validators: readonly Address[] | undefined
}

export interface BftConfig extends BftTerms {
  readonly kind: 'ibft2' | 'qbft'
  readonly epochLength: number
  readonly requestTimeoutSeconds: number
  /** In the order of their blocks; each has inherited what it does not set. */
  readonly transitions: readonly BftTransition[]
  /** QBFT's part of a chain that begins as IBFT 2.0. */
  readonly successor: { readonly startBlock: bigint; readonly config: BftConfig } | undefined
}

/** Who may make blocks. `none` is a chain whose producer lives elsewhere: after the merge, or imported only. */
export type ConsensusConfig = EthashConfig | CliqueConfig | BftConfig | { readonly kind: 'none' }

function bftTerms(kind: BftConfig['kind'], o: JsonObject): BftTerms {
  return {
    blockPeriodSeconds: integerMember(o, 'blockPeriodSeconds', 1, 1),
    blockReward: numberMember(o, 'blockReward') ?? 0n,
    miningBeneficiary: addressMember(o, 'miningBeneficiary'),
    validatorContract: kind === 'qbft' ? addressMember(o, 'validatorContractAddress') : undefined,
  }
}

function bft(kind: BftConfig['kind'], o: JsonObject, config: JsonObject): BftConfig {
  const terms = bftTerms(kind, o)
  return {
    kind,
    ...terms,
    epochLength: integerMember(o, 'epochLength', 30_000, 1),
    requestTimeoutSeconds: integerMember(o, 'requestTimeoutSeconds', 1, 1),
    transitions: bftTransitionsOf(kind, config, terms),
    successor: undefined,
  }
}

/** Besu's spelling of a network that changes from IBFT 2.0 to QBFT: both sections, and QBFT's first block. */
function migrating(ibft2: JsonObject, qbft: JsonObject, config: JsonObject): BftConfig {
  const startBlock = numberMember(qbft, 'startBlock')
  if (startBlock === undefined) throw new GenesisError({ code: 'GENESIS_MISSING', key: 'qbft.startBlock' })
  if (startBlock === 0n)
    throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key: 'qbft.startBlock', have: '0', want: 'at least 1' })
  return { ...bft('ibft2', ibft2, config), successor: { startBlock, config: bft('qbft', qbft, config) } }
}

/** geth's names for the two numbers are read too when Besu's are absent. */
function clique(o: JsonObject): CliqueConfig {
  return {
    kind: 'clique',
    blockPeriodSeconds: integerMember(o, 'blockPeriodSeconds', integerMember(o, 'period', 15), 0),
    epochLength: integerMember(o, 'epochLength', integerMember(o, 'epoch', 30_000, 1), 1),
    createEmptyBlocks: booleanMember(o, 'createEmptyBlocks', true),
  }
}

/** The engine that a genesis file names; with several keys the first in Besu's order counts. */
export function consensusOf(config: JsonObject): ConsensusConfig {
  const ibft2 = objectMember(config, 'ibft2')
  const qbft = objectMember(config, 'qbft')
  if (ibft2 && qbft) return migrating(ibft2, qbft, config)
  const ethash = objectMember(config, 'ethash')
  if (ethash) return { kind: 'ethash', fixedDifficulty: numberMember(ethash, 'fixedDifficulty') }
  if (ibft2) return bft('ibft2', ibft2, config)
  if (config.has('ibft'))
    throw new GenesisError({
      code: 'GENESIS_UNSUPPORTED',
      key: 'config.ibft',
      reason: 'IBFT 1 is no longer run by any node; use ibft2 or qbft',
    })
  if (qbft) return bft('qbft', qbft, config)
  const signers = objectMember(config, 'clique')
  return signers ? clique(signers) : { kind: 'none' }
}
