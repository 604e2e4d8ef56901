import type { ConsensusEngine } from '../chain/engine.ts'
import type { HeaderOptions } from '../execution/validateHeader.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { CliqueConfig, Successor } from '../forks/consensusConfig.ts'
import { never } from '../primitives/bytes.ts'
import { type Clock, systemClock } from '../system/clock.ts'
import type { Header } from '../types/header.ts'
import type { AuthorityEngine } from './authorityEngine.ts'
import { cliqueCodec } from './clique/cliqueCodec.ts'
import { createCliqueEngine } from './clique/cliqueEngine.ts'
import { ibft2Codec } from './ibft2/ibft2Codec.ts'
import { createIbft2Engine } from './ibft2/ibft2Engine.ts'
import { createMainnetEngine } from './mainnet/mainnetEngine.ts'
import { createMigratingEngine } from './migratingEngine.ts'
import { createContractCaller } from './qbft/contractCaller.ts'
import type { CallContract } from './qbft/contractValidators.ts'
import { createQbftEngine, type Predecessor } from './qbft/qbftEngine.ts'

export interface ConsensusParts {
  readonly clock?: Clock
  /** Calls the validator contract of a QBFT network. */
  readonly callContract?: CallContract
  /** Checks proofs of work; absent if they are not checked. */
  readonly checkWork?: (header: Header) => void
  /** Where a network without validators departs from the public one. */
  readonly headerOptions?: HeaderOptions
}

/** Creates the consensus engine that the genesis file configures. */
export function createConsensus(spec: ChainSpec, parts: ConsensusParts = {}): ConsensusEngine {
  const { clock = systemClock, callContract = createContractCaller(), checkWork, headerOptions } = parts
  const { consensus } = spec

  /** An engine, with QBFT after it if the genesis file sets `startblock`. */
  function withSuccessor(
    engine: AuthorityEngine,
    successor: Successor | undefined,
    predecessor: Omit<Predecessor, 'startBlock' | 'epochsFrom'>,
  ): AuthorityEngine {
    if (!successor) return engine
    const { startBlock, config, epochsFrom } = successor
    const before = { startBlock, epochsFrom, ...predecessor }
    return createMigratingEngine(engine, createQbftEngine({ spec, config, clock, callContract, before }), startBlock)
  }

  function clique(config: CliqueConfig): AuthorityEngine {
    const engine = createCliqueEngine({ spec, config, clock })
    const { validatorsAfter } = engine
    return withSuccessor(engine, config.successor, { codec: cliqueCodec, validatorsAfter })
  }

  switch (consensus.kind) {
    case 'none':
    case 'ethash':
      return createMainnetEngine({ spec, ...(checkWork && { checkWork }), ...(headerOptions && { headerOptions }) })
    case 'clique':
      return clique(consensus)
    case 'ibft2':
      return withSuccessor(createIbft2Engine({ spec, config: consensus, clock }), consensus.successor, {
        codec: ibft2Codec,
      })
    case 'qbft':
      return createQbftEngine({ spec, config: consensus, clock, callContract })
    default:
      return never(consensus)
  }
}
