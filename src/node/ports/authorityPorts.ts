import type { ConsensusEngine } from '../../chain/engine.ts'
import type { ChainView } from '../../chain/view.ts'
import { isAuthorityEngine } from '../../consensus/authorityEngine.ts'
import { ibft2Codec } from '../../consensus/ibft2/ibft2Codec.ts'
import type { Votes } from '../../consensus/voting/votes.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { BftConfig, CliqueConfig } from '../../forks/consensusConfig.ts'
import type { AuthorityPort, RpcContext } from '../../rpc/protocol/context.ts'

type AuthorityConfig = CliqueConfig | BftConfig

/** Names of the method groups. */
const groups = { clique: 'clique', ibft2: 'ibft', qbft: 'qbft' } as const

/** The ports of the engines that a network has at any block; none where its blocks are not made by known accounts. */
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

  function portOf(config: AuthorityConfig): AuthorityPort {
    return {
      signerOf: authority.signerOf,
      validatorsAfter: authority.validatorsAfter,
      validatorsOf(block, chain) {
        // IBFT 2.0 tells them in the order of the header, which a genesis file need not sort.
        if (config.kind === 'ibft2' && !(successor && block.header.number >= successor.startBlock))
          return ibft2Codec.decode(block.header.extraData).validators
        // Where a contract names the validators Besu asks it as of the block itself.
        const parent = authority.tallyAfter(block, chain) && chain.headerBy(block.header.parentHash)
        return authority.validatorsAfter(parent ?? block, chain)
      },
      votes: (chain) =>
        activeKind(chain) === config.kind && authority.tallyAfter(chain.head, chain) ? votes : undefined,
      requestTimeout: config.kind === 'clique' ? undefined : config.requestTimeoutSeconds,
    }
  }

  const configs = successor ? [consensus, successor.config] : [consensus]
  return Object.fromEntries(configs.map((config) => [groups[config.kind], portOf(config)]))
}
