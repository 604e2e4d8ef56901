import type { Config } from '../config/options.ts'
import type { GraphqlServePorts } from '../graphql/serve.ts'
import type { ServePorts } from '../rpc/server/serve.ts'
import type { NodePorts } from './createRpcPorts.ts'

export interface GraphqlParts extends ServePorts {
  readonly config: Config
  readonly ports: NodePorts
}

/** What GraphQL sees of the node: the same ports as JSON-RPC. */
export function graphqlPortsOf({
  ports,
  onInternalError,
  hold,
  turns,
  readers,
  access,
}: GraphqlParts): GraphqlServePorts {
  const { chain, evms, pool, limits, mining, sync } = ports
  return {
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
  }
}
