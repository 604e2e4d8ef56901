import type { Config } from '../../config/options.ts'
import type { ApiLimits } from '../../rpc/protocol/context.ts'

/** The limits of queries as the command line gives them. */
export function apiLimitsOf(config: Config): ApiLimits {
  return {
    revertFormat: config['rpc-revert-format'],
    maxLogsRange: BigInt(config['rpc-max-logs-range']),
    maxTraceRange: BigInt(config['rpc-max-trace-filter-range']),
    maxBlocksRange: config['graphql-max-blocks-range'],
    maxTraceSteps: config['rpc-max-trace-steps'],
    allowsScripts: config['rpc-readers'] > 0,
    estimateTolerance: config['estimate-gas-tolerance-ratio'],
    historyBlocks: BigInt(config['history-blocks']),
    blockHistory: BigInt(config['block-history']),
    gasPrice: {
      blocks: config['api-gas-price-blocks'],
      percentile: config['api-gas-price-percentile'],
      max: config['api-gas-price-max'],
    },
  }
}
