import type { HashedHeader } from '../../../src/chain/view.ts'
import { loadNetwork } from '../../../src/chainData/network.ts'
import { openChain } from '../../../src/chainData/openChain.ts'
import type { BftCodec } from '../../../src/consensus/bft/extraData.ts'
import { ibft2Codec } from '../../../src/consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../../../src/consensus/qbft/qbftCodec.ts'
import type { Block } from '../../../src/types/block.ts'
import { authorities, bftBlock, bftGenesis, cliqueBlock, cliqueGenesis } from '../../support/authorityChain.ts'

const [first, second, third, fourth, candidate] = authorities(5)
const founders = [first!, second!, third!, fourth!]
const everyone = [...founders, candidate!]
/** The node's own account. */
export const ownKey = first!.key

/** A network of four accounts, three of which vote a fifth in, and the blocks that they made. */
export interface AuthorityNetwork {
  readonly genesis: object
  /** The block of a number on its parent. */
  block(parent: HashedHeader, number: number): Block
  readonly length: number
}

function cliqueNetwork(): AuthorityNetwork {
  return {
    genesis: cliqueGenesis(founders, { blockPeriodSeconds: 1, epochLength: 30_000 }, { chainId: 4243 }),
    length: 5,
    block(parent, number) {
      const vote = number <= 3 ? { subject: candidate!.address, add: true } : undefined
      const among = number <= 3 ? founders : everyone
      return cliqueBlock(parent, { signer: among[number % among.length]!, among, ...(vote && { vote }) })
    },
  }
}

function bftNetwork(codec: BftCodec, chainId: number, config: object): AuthorityNetwork {
  return {
    genesis: bftGenesis(codec, founders, { chainId, ...config }),
    length: 5,
    block(parent, number) {
      const validators = number <= 3 ? founders : everyone
      const proposer = validators[number % validators.length]!
      const vote = number <= 3 ? { vote: { recipient: candidate!.address, add: true } } : {}
      return bftBlock(parent, { codec, proposer, validators, extraData: vote })
    },
  }
}

export const authorityNetworks = {
  clique: cliqueNetwork(),
  ibft: bftNetwork(ibft2Codec, 4244, { ibft2: { blockPeriodSeconds: 1, requestTimeoutSeconds: 4 } }),
  qbft: bftNetwork(qbftCodec, 4245, { qbft: { blockPeriodSeconds: 1, requestTimeoutSeconds: 6 } }),
}

/** Writes the blocks of a network into a data folder. */
export async function writeChain(dataPath: string, genesisFile: string, network: AuthorityNetwork): Promise<void> {
  const { chain, close } = await openChain({
    dataPath,
    network: loadNetwork(genesisFile, undefined),
    keepRevertReasons: false,
    checkWork: false,
  })
  for (let number = 1; number <= network.length; number++) chain.importBlock(network.block(chain.head(), number))
  await close()
}
