import { chainOptionsOf } from '../../chainData/chainOptions.ts'
import { readGenesis } from '../../chainData/network.ts'
import type { OpenChainOptions } from '../../chainData/openChain.ts'
import type { Config } from '../../config/options.ts'
import type { Address } from '../../primitives/bytes.ts'

/** What a thread that imports blocks needs to know of the node; plain values, which can be passed to it. */
export interface CatchUpSettings {
  readonly chain: Pick<
    OpenChainOptions,
    'dataPath' | 'keepRevertReasons' | 'indexLogs' | 'indexAccounts' | 'checkWork' | 'requiredBlocks'
  >
  /** Path and text of the genesis file, which may be gone when the thread starts. */
  readonly genesis: { readonly path: string; readonly text: string }
  readonly networkId: bigint | undefined
  /** The contract that decides who may send transactions. */
  readonly accountsContract: Address | undefined
}

/** Undefined on the development network, where nobody has blocks that are missing here. */
export function catchUpSettingsOf(config: Config, dataPath: string): CatchUpSettings | undefined {
  const path = config['genesis-file']
  if (path === undefined) return undefined
  return {
    chain: { dataPath, ...chainOptionsOf(config) },
    genesis: { path, text: readGenesis(path) },
    networkId: config['network-id'],
    accountsContract: config['permissions-accounts-contract-enabled']
      ? config['permissions-accounts-contract-address']
      : undefined,
  }
}
