import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { ConsensusConfig } from '../../forks/consensusConfig.ts'
import { forkIndex, forks } from '../../forks/table.ts'

function engineOf(consensus: ConsensusConfig): object {
  switch (consensus.kind) {
    case 'none':
      return {}
    case 'ethash':
      return {
        ethash: consensus.fixedDifficulty === undefined ? {} : { fixeddifficulty: Number(consensus.fixedDifficulty) },
      }
    case 'clique': {
      const { epochLength, blockPeriodSeconds, createEmptyBlocks, successor } = consensus
      const own = { clique: { epochLength, blockPeriodSeconds, createemptyblocks: createEmptyBlocks } }
      return successor ? { ...own, ...engineOf(successor.config) } : own
    }
    default: {
      const { kind, blockPeriodSeconds, epochLength, requestTimeoutSeconds, successor } = consensus
      const own = { [kind]: { epochLength, blockPeriodSeconds, requestTimeoutSeconds } }
      return successor ? { ...own, ...engineOf(successor.config) } : own
    }
  }
}

/** The network's configuration with the keys of the genesis file. */
export function chainConfigOf({ chainId, activations, consensus }: ChainSpec): object {
  const moments = activations
    .filter(({ fork }) => fork !== 'frontier')
    .map(({ fork, at }) => [forks[forkIndex(fork)]!.key, Number(at)] as const)
  return { chainId: Number(chainId), ...Object.fromEntries(moments), ...engineOf(consensus) }
}
