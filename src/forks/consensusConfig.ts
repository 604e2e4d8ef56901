import { type Address, toAddress } from '../primitives/bytes.ts'
import { GenesisError } from './fault.ts'
import {
  booleanMember,
  bytesMember,
  integerMember,
  type JsonObject,
  member,
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

export interface BftConfig {
  readonly kind: 'ibft2' | 'qbft'
  readonly blockPeriodSeconds: number
  readonly epochLength: number
  readonly requestTimeoutSeconds: number
  readonly blockReward: bigint
  readonly miningBeneficiary: Address | undefined
  readonly validatorContract: Address | undefined
  /** First block of QBFT on a chain that began as IBFT 2.0. */
  readonly startBlock: bigint | undefined
}

/** Who may make blocks. `none` is a chain whose producer lives elsewhere: after the merge, or imported only. */
export type ConsensusConfig = EthashConfig | CliqueConfig | BftConfig | { readonly kind: 'none' }

function addressMember(object: JsonObject, key: string): Address | undefined {
  if (member(object, key) === '') return undefined
  const bytes = bytesMember(object, key, 20)
  return bytes && toAddress(bytes)
}

function bft(kind: 'ibft2' | 'qbft', o: JsonObject): BftConfig {
  return {
    kind,
    blockPeriodSeconds: integerMember(o, 'blockPeriodSeconds', 1, 1),
    epochLength: integerMember(o, 'epochLength', 30_000, 1),
    requestTimeoutSeconds: integerMember(o, 'requestTimeoutSeconds', 1, 1),
    blockReward: numberMember(o, 'blockReward') ?? 0n,
    miningBeneficiary: addressMember(o, 'miningBeneficiary'),
    validatorContract: addressMember(o, 'validatorContractAddress'),
    startBlock: numberMember(o, 'startBlock'),
  }
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
  const ethash = objectMember(config, 'ethash')
  if (ethash) return { kind: 'ethash', fixedDifficulty: numberMember(ethash, 'fixedDifficulty') }
  const ibft2 = objectMember(config, 'ibft2')
  if (ibft2) return bft('ibft2', ibft2)
  if (config.has('ibft'))
    throw new GenesisError({
      code: 'GENESIS_UNSUPPORTED',
      key: 'config.ibft',
      reason: 'IBFT 1 is no longer run by any node; use ibft2 or qbft',
    })
  const qbft = objectMember(config, 'qbft')
  if (qbft) return bft('qbft', qbft)
  const signers = objectMember(config, 'clique')
  return signers ? clique(signers) : { kind: 'none' }
}
