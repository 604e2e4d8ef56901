import type { Config } from '../../config/options.ts'
import { layeredLimits, legacyLimits, type PoolOptions, priceBumpOf } from '../../pool/options.ts'

/** The pool's options as the command line gives them. */
export function poolOptionsOf(config: Config, { zeroBaseFee }: { readonly zeroBaseFee: boolean }): PoolOptions {
  const limits =
    config['tx-pool'] === 'layered'
      ? layeredLimits({
          layerMaxCapacity: config['tx-pool-layer-max-capacity'],
          maxFutureBySender: config['tx-pool-max-future-by-sender'],
        })
      : legacyLimits({
          maxSize: config['tx-pool-max-size'],
          limitByAccount: config['tx-pool-limit-by-account-percentage'],
          retentionHours: config['tx-pool-retention-hours'],
        })
  return {
    limits,
    priceBump: priceBumpOf(config['tx-pool-price-bump'], { zeroBaseFee, minGasPrice: config['min-gas-price'] }),
    feeCap: config['rpc-tx-feecap'],
    remoteFeeCap: config['p2p-tx-feecap'],
    strictReplayProtection: config['strict-tx-replay-protection-enabled'],
    localPriority: !config['tx-pool-no-local-priority'],
    prioritySenders: config['tx-pool-priority-senders'],
  }
}
