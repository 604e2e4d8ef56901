import { type DevChain, devChainOf } from '../../chainData/devChain.ts'
import { readGenesis } from '../../chainData/network.ts'
import type { Config } from '../../config/options.ts'
import { withoutAccounts } from '../../forks/genesisFile.ts'
import type { BlockOverrides } from '../../query/blockOverrides.ts'
import type { ApiLimits } from '../../rpc/protocol/context.ts'
import { apiLimitsOf } from '../options/apiLimits.ts'

/** What a reader needs to know of the node; plain values, which can be passed to a process. */
export interface ReaderSettings {
  readonly dataPath: string
  /** Path and text of the genesis file, without accounts; undefined for the development network. The file may be gone when a reader starts. */
  readonly genesis: { readonly path: string; readonly text: string } | undefined
  readonly networkId: bigint | undefined
  readonly dev: DevChain
  readonly limits: ApiLimits
  readonly gasCap: bigint
  /** Milliseconds that a request may run. */
  readonly callTime: number
  readonly longAsHex: boolean
}

/** What a request of JSON-RPC depends on besides the chain: on the development network, what users have set for the next block. */
export interface RpcRequestContext {
  readonly nextBlock: BlockOverrides
}

export function readerSettingsOf(config: Config, dataPath: string): ReaderSettings {
  const path = config['genesis-file']
  return {
    dataPath,
    genesis: path === undefined ? undefined : { path, text: withoutAccounts(readGenesis(path)) },
    networkId: config['network-id'],
    dev: devChainOf(config),
    limits: apiLimitsOf(config),
    gasCap: config['rpc-gas-cap'],
    callTime: config['rpc-reader-timeout-seconds'] * 1000,
    longAsHex: config['graphql-long-as-hex'],
  }
}
