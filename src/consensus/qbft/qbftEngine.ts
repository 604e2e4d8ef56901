import type { HashedHeader } from '../../chain/view.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { BftConfig } from '../../forks/consensusConfig.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Clock } from '../../system/clock.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import { createBftEngine } from '../bft/bftEngine.ts'
import type { BftExtraDataReader } from '../bft/extraData.ts'
import { checkGenesisExtraData } from '../checkGenesisExtraData.ts'
import type { HeaderReader } from '../voting/tallyHistory.ts'
import { type CallContract, createContractValidators } from './contractValidators.ts'
import { qbftCodec } from './qbftCodec.ts'

export interface QbftEngineOptions {
  readonly spec: ChainSpec
  readonly config: BftConfig
  readonly clock: Clock
  readonly callContract: CallContract
  /** The engine from which QBFT takes over. */
  readonly before?: Predecessor
}

/** The engine before QBFT. */
export interface Predecessor {
  /** QBFT's first block. */
  readonly startBlock: bigint
  /** Layout of the extra data before that block. */
  readonly codec: BftExtraDataReader
  /** The block from which QBFT counts epochs. */
  readonly epochsFrom: bigint
  /** Its validators after its last block; absent if QBFT counts the votes of those blocks itself. */
  readonly validatorsAfter?: (block: HashedHeader, chain: HeaderReader) => readonly Address[]
}

/** QBFT: like IBFT 2.0 with another layout, and optionally validators from a contract. */
export function createQbftEngine({ spec, config, clock, callContract, before }: QbftEngineOptions): AuthorityEngine {
  if (!before) checkGenesisExtraData(spec, qbftCodec.decode)
  return createBftEngine({
    spec,
    config,
    clock,
    codec: qbftCodec,
    ...(before && {
      codecAt: (number) => (number < before.startBlock ? before.codec : qbftCodec),
      storedFrom: before.startBlock - 1n,
      epochsFrom: before.epochsFrom,
      takenOverAfter: (number, block, chain) =>
        number + 1n === before.startBlock ? before.validatorsAfter?.(block(), chain) : undefined,
    }),
    contractValidators: createContractValidators(callContract),
  })
}
