import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { BftConfig } from '../forks/consensusConfig.ts'
import { never } from '../primitives/bytes.ts'
import { type Clock, systemClock } from '../primitives/clock.ts'
import type { Header } from '../types/header.ts'
import type { AuthorityEngine } from './authorityEngine.ts'
import { createCliqueEngine } from './clique/cliqueEngine.ts'
import { ibft2Codec } from './ibft2/ibft2Codec.ts'
import { createIbft2Engine } from './ibft2/ibft2Engine.ts'
import { createMainnetEngine } from './mainnet/mainnetEngine.ts'
import { createMigratingEngine } from './migratingEngine.ts'
import { createContractCaller } from './qbft/contractCaller.ts'
import type { CallContract } from './qbft/contractValidators.ts'
import { createQbftEngine } from './qbft/qbftEngine.ts'

export interface ConsensusParts {
  readonly clock?: Clock
  /** Asks the contract that names the validators of a QBFT network. */
  readonly callContract?: CallContract
  /** Checks proofs of work, where they are asked for. */
  readonly checkWork?: (header: Header) => void
}

/** The engine that a network's genesis file names. */
export function createConsensus(spec: ChainSpec, parts: ConsensusParts = {}): ConsensusEngine {
  const { clock = systemClock, callContract = createContractCaller(), checkWork } = parts
  const { consensus } = spec

  function ibft2(config: BftConfig): AuthorityEngine {
    const engine = createIbft2Engine({ spec, config, clock })
    if (!config.successor) return engine
    const { startBlock, config: next } = config.successor
    const before = { startBlock, codec: ibft2Codec }
    return createMigratingEngine(
      engine,
      createQbftEngine({ spec, config: next, clock, callContract, before }),
      startBlock,
    )
  }

  switch (consensus.kind) {
    case 'none':
    case 'ethash':
      return createMainnetEngine({ spec, ...(checkWork && { checkWork }) })
    case 'clique':
      return createCliqueEngine({ spec, config: consensus, clock })
    case 'ibft2':
      return ibft2(consensus)
    case 'qbft':
      return createQbftEngine({ spec, config: consensus, clock, callContract })
    default:
      return never(consensus)
  }
}
