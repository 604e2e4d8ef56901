import type { HashedHeader } from '../../chain/view.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { BftConfig } from '../../forks/consensusConfig.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Clock } from '../../primitives/clock.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import { createBftEngine } from '../bft/bftEngine.ts'
import type { BftCodec } from '../bft/extraData.ts'
import { checkGenesisExtraData } from '../checkGenesisExtraData.ts'
import type { Ancestry } from '../voting/tallyHistory.ts'
import { type CallContract, createContractValidators } from './contractValidators.ts'
import { qbftCodec } from './qbftCodec.ts'

export interface QbftEngineOptions {
  readonly spec: ChainSpec
  readonly config: BftConfig
  readonly clock: Clock
  readonly callContract: CallContract
  /** Where QBFT takes over from another engine. */
  readonly before?: Predecessor
}

/** The engine before QBFT. */
export interface Predecessor {
  /** QBFT's first block. */
  readonly startBlock: bigint
  /** Layout of the blocks before. */
  readonly codec: Pick<BftCodec, 'decode'>
  /** Who its validators are after its last block; absent where QBFT counts their votes itself. */
  readonly validatorsAfter?: (block: HashedHeader, chain: Ancestry) => readonly Address[]
}

/** QBFT: as IBFT 2.0 with another layout, and validators that a contract may name. */
export function createQbftEngine({ spec, config, clock, callContract, before }: QbftEngineOptions): AuthorityEngine {
  if (!before) checkGenesisExtraData(spec, qbftCodec.decode)
  return createBftEngine({
    spec,
    config,
    clock,
    codec: qbftCodec,
    ...(before && {
      codecAt: (number) => (number < before.startBlock ? before.codec : qbftCodec),
      takenOverAfter: (block, chain) =>
        block.header.number + 1n === before.startBlock ? before.validatorsAfter?.(block, chain) : undefined,
    }),
    contractValidators: createContractValidators(callContract),
  })
}
