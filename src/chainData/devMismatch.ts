import { ChainError } from '../chain/fault.ts'
import { genesisOf } from '../chain/genesis.ts'
import { createMainnetEngine } from '../consensus/mainnet/mainnetEngine.ts'
import { createChainSpec } from '../forks/chainSpec.ts'
import { createDevGenesis, type DevFork, devAccounts, devForks } from '../forks/devGenesis.ts'
import { toGenesisFile } from '../forks/genesisFile.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import type { StateStore } from '../state/stateStore.ts'
import { NetworkError } from './fault.ts'
import type { Network } from './network.ts'

type States = Pick<StateStore, 'rootOfFresh'>

/** Adds to the error of a data directory with another genesis block which options of the development network fit. */
export function explainDevMismatch(error: unknown, network: Network, states: States): unknown {
  if (!network.isDev || !(error instanceof ChainError) || error.at.code !== 'GENESIS_MISMATCH') return error
  const fork = forkWith(error.at.have, network, states)
  return new NetworkError({ code: 'OTHER_DEV_CHAIN', fork, reason: error.message }, error)
}

/** The fork with which the development network has a genesis block; its accounts are those of `network` or of Besu. */
function forkWith(hash: Hash32, { funded }: Network, states: States): DevFork | undefined {
  return devForks.find((fork) =>
    [funded, devAccounts].some((accounts) => {
      const spec = createChainSpec(toGenesisFile(createDevGenesis(fork, accounts)))
      return equalBytes(hash, genesisOf(spec, states, createMainnetEngine({ spec })).hash)
    }),
  )
}
