import type { Config } from '../../config/options.ts'
import type { GraphqlPorts } from '../../graphql/ports.ts'
import type { GraphqlServePorts } from '../../graphql/serve.ts'
import type { RpcPorts } from '../../rpc/protocol/context.ts'
import type { ServePorts } from '../../rpc/server/serve.ts'

export interface GraphqlParts extends ServePorts {
  readonly config: Config
  readonly ports: ServerPorts
  readonly queries: QueryPorts
}

/** The ports of methods that all servers have. */
export type ServerPorts = RpcPorts & Required<Pick<RpcPorts, 'chain' | 'evms' | 'limits'>>

/** What queries of GraphQL need of the node besides the chain. */
export type QueryPorts = Pick<GraphqlPorts, 'pool' | 'minGasPrice' | 'syncStatus'>

/** What GraphQL sees of the node. */
export function graphqlPortsOf({
  ports,
  queries,
  onInternalError,
  hold,
  turns,
  readers,
  access,
}: GraphqlParts): GraphqlServePorts {
  const { chain, evms, limits } = ports
  return {
    ...queries,
    chain,
    evm: evms.fast,
    beneficiaryOf: evms.beneficiaryOf,
    prices: limits.gasPrice,
    maxBlocksRange: limits.maxBlocksRange ?? 0,
    now: () => performance.now(),
    onInternalError: (error) => onInternalError(error, 'graphql'),
    hold,
    turns,
    readers,
    authority: access?.authority,
    rateLimit: access?.rateLimit,
  }
}
