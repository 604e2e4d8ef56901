import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { BftConfig } from '../../forks/consensusConfig.ts'
import type { Clock } from '../../primitives/clock.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import { createBftEngine } from '../bft/bftEngine.ts'
import type { BftCodec } from '../bft/extraData.ts'
import { checkGenesisExtraData } from '../checkGenesisExtraData.ts'
import { type CallContract, createContractValidators } from './contractValidators.ts'
import { qbftCodec } from './qbftCodec.ts'

export interface QbftEngineOptions {
  readonly spec: ChainSpec
  readonly config: BftConfig
  readonly clock: Clock
  readonly callContract: CallContract
  /** Where QBFT takes over from another engine: its first block, and the layout of those before. */
  readonly before?: { readonly startBlock: bigint; readonly codec: BftCodec }
}

/** QBFT: as IBFT 2.0 with another layout, and validators that a contract may name. */
export function createQbftEngine({ spec, config, clock, callContract, before }: QbftEngineOptions): AuthorityEngine {
  if (!before) checkGenesisExtraData(spec, qbftCodec.decode)
  return createBftEngine({
    spec,
    config,
    clock,
    codec: qbftCodec,
    ...(before && { codecAt: (number) => (number < before.startBlock ? before.codec : qbftCodec) }),
    contractValidators: createContractValidators(callContract),
  })
}
