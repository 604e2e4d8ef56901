import type { ConsensusEngine } from '../../chain/engine.ts'
import type { ChainView } from '../../chain/view.ts'
import { isAuthorityEngine } from '../../consensus/authorityEngine.ts'
import { ibft2Codec } from '../../consensus/ibft2/ibft2Codec.ts'
import type { Votes } from '../../consensus/voting/votes.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { BftConfig, CliqueConfig } from '../../forks/consensusConfig.ts'
import type { AuthorityPort, RpcContext } from '../../rpc/protocol/context.ts'

type AuthorityConfig = CliqueConfig | BftConfig

/** Namespaces of the engines' methods. */
const groups = { clique: 'clique', ibft2: 'ibft', qbft: 'qbft' } as const

/** The first block after another with which an epoch begins. */
function nextEpoch(block: bigint, { epochLength }: AuthorityConfig, from: bigint): bigint {
  const length = BigInt(epochLength)
  return block < from ? from : block + length - ((block - from) % length)
}

/** The ports of the proof-of-authority engines of a network, including the one that it migrates to; empty for others. */
export function authorityPorts(
  { consensus }: ChainSpec,
  engine: ConsensusEngine,
  votes: Votes,
): Pick<Partial<RpcContext>, 'clique' | 'ibft' | 'qbft'> {
  if (!isAuthorityEngine(engine) || consensus.kind === 'ethash' || consensus.kind === 'none') return {}
  const { successor } = consensus
  const authority = engine

  function activeKind(chain: ChainView): AuthorityConfig['kind'] {
    const next = chain.head.header.number + 1n
    return successor && next >= successor.startBlock
      ? successor.config.kind
      : (consensus.kind as AuthorityConfig['kind'])
  }

  const tallyOf = (config: AuthorityConfig, chain: ChainView) =>
    activeKind(chain) === config.kind ? authority.tallyAfter(chain.head, chain) : undefined

  function portOf(config: AuthorityConfig): AuthorityPort {
    return {
      signerOf: authority.signerOf,
      validatorsAfter: authority.validatorsAfter,
      validatorsOf(block, chain) {
        // Besu returns IBFT 2.0 validators in the order of the header, which may be unsorted in a genesis block.
        if (config.kind === 'ibft2' && !(successor && block.header.number >= successor.startBlock))
          return ibft2Codec.decode(block.header.extraData).validators
        // If a contract holds the validators, Besu calls it at the block itself, not at its parent.
        const parent = authority.tallyAfter(block, chain) && chain.parentOf(block.header)
        return authority.validatorsAfter(parent ?? block, chain)
      },
      votes: (chain) => (tallyOf(config, chain) ? votes : undefined),
      tally: (chain) => tallyOf(config, chain),
      epochAfter: (block) => nextEpoch(block, config, successor?.config === config ? successor.epochsFrom : 0n),
      requestTimeout: config.kind === 'clique' ? undefined : config.requestTimeoutSeconds,
    }
  }

  const configs = successor ? [consensus, successor.config] : [consensus]
  return Object.fromEntries(configs.map((config) => [groups[config.kind], portOf(config)]))
}
