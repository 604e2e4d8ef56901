import type { Config } from '../config/options.ts'
import { type GraphqlServeOptions, serveGraphql } from '../graphql/serve.ts'
import type { Listening } from '../http/listen.ts'
import type { ServePorts } from '../rpc/server/serve.ts'
import type { NodePorts } from './createRpcPorts.ts'

export interface GraphqlParts extends ServePorts {
  readonly config: Config
  readonly ports: NodePorts
}

/** Starts the GraphQL server, which sees the node through the same ports as JSON-RPC. */
export function createGraphql(
  options: GraphqlServeOptions,
  { ports, onInternalError, hold, turns, readers, access }: GraphqlParts,
): Promise<Listening> {
  const { chain, evms, pool, limits, mining, sync } = ports
  return serveGraphql(options, {
    chain,
    evm: evms.fast,
    beneficiaryOf: evms.beneficiaryOf,
    pool,
    prices: limits.gasPrice,
    minGasPrice: mining.minGasPrice,
    syncStatus: sync.status,
    now: () => performance.now(),
    onInternalError: (error) => onInternalError(error, 'graphql'),
    hold,
    turns,
    readers,
    authority: access?.authority,
    rateLimit: access?.rateLimit,
  })
}
