import { serveGraphql } from '../graphql/serve.ts'
import type { Listening } from '../http/listen.ts'
import type { ServerParts } from './createServers.ts'
import { graphqlOptionsOf } from './options/serverOptions.ts'

/** Starts the GraphQL server on the ports that JSON-RPC has too. */
export function createGraphql({ config, ports, onInternalError, hold }: ServerParts): Promise<Listening> {
  const { chain, evm, pool, limits, mining, sync } = ports
  return serveGraphql(graphqlOptionsOf(config), {
    chain,
    evm: evm.fast,
    beneficiaryOf: evm.beneficiaryOf,
    pool,
    prices: limits.gasPrice,
    minGasPrice: mining.minGasPrice,
    syncStatus: sync.status,
    now: () => performance.now(),
    onInternalError: (error) => onInternalError(error, 'graphql'),
    hold,
  })
}
