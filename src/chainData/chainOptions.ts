import { servesOts } from '../config/explorerOptions.ts'
import type { Config } from '../config/options.ts'
import type { OpenChainOptions } from './openChain.ts'

/** What an operator decides about the chain, in plain values. */
export function chainOptionsOf(config: Config) {
  return {
    keepRevertReasons: config['revert-reason-enabled'],
    indexLogs: config['auto-log-bloom-caching-enabled'],
    indexAccounts: servesOts(config),
    checkWork: true,
    requiredBlocks: config['required-blocks'],
  } satisfies Partial<OpenChainOptions>
}
