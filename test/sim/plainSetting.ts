import { type BftConfig, defaultMessageLimits } from '../../src/forks/consensusConfig.ts'
import { authorities } from '../support/authorityChain.ts'
import type { BftSetting } from './bftSetting.ts'

export interface PlainSettingOptions {
  readonly kind: BftConfig['kind']
  readonly validators: number
  /** Milliseconds, where it is not a number of seconds. */
  readonly blockPeriodMilliseconds?: number | undefined
  readonly blockPeriodSeconds: number
  readonly requestTimeoutSeconds: number
  readonly emptyBlockPeriodSeconds?: number | undefined
}

/** A network in which nothing changes, and whose members are all honest. */
export function plainSetting(options: PlainSettingOptions): BftSetting {
  const { kind, validators, blockPeriodSeconds, blockPeriodMilliseconds } = options
  const { requestTimeoutSeconds, emptyBlockPeriodSeconds } = options
  const keys = authorities(validators)
  return {
    config: {
      kind,
      blockPeriodSeconds,
      emptyBlockPeriodSeconds,
      blockReward: 0n,
      miningBeneficiary: undefined,
      blockPeriodMilliseconds,
      perTxGasLimit: undefined,
      validatorContract: undefined,
      epochLength: 30_000,
      requestTimeoutSeconds,
      messageLimits: defaultMessageLimits,
      transitions: [],
      successor: undefined,
    },
    keys,
    first: keys,
    campaigns: [],
    byzantine: new Map(),
    forgetful: new Set(),
    contract: undefined,
    blockBytes: 0,
    hasTransactions: () => false,
  }
}
