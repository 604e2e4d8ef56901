import type { Config } from '../config/options.ts'
import { serveGraphql } from '../graphql/serve.ts'
import type { Listening } from '../http/listen.ts'
import type { RpcContext } from '../rpc/protocol/context.ts'
import type { ServePorts } from '../rpc/server/serve.ts'

/** The ports of JSON-RPC that GraphQL is served from too. */
type SharedPorts = Pick<RpcContext, 'chain' | 'evm' | 'pool' | 'limits' | 'mining' | 'sync'>

/** The GraphQL server that the options describe. */
export function createGraphql(
  config: Config,
  context: SharedPorts,
  { onInternalError, hold }: Pick<ServePorts, 'onInternalError' | 'hold'>,
): Promise<Listening> {
  return serveGraphql(
    {
      host: config['graphql-http-host'],
      port: config['graphql-http-port'],
      hostAllowlist: config['host-allowlist'],
      corsOrigins: config['graphql-http-cors-origins'],
      maxConnections: config['rpc-http-max-active-connections'],
      timeout: config['Xhttp-timeout-seconds'] * 1000,
      pretty: config['json-pretty-print-enabled'],
      longAsHex: config['graphql-long-as-hex'],
    },
    {
      // The chain of the context changes with the head.
      chain: () => context.chain,
      evm: context.evm.fast,
      beneficiaryOf: context.evm.beneficiaryOf,
      pool: context.pool,
      prices: context.limits.gasPrice,
      minGasPrice: context.mining.minGasPrice,
      syncStatus: () => context.sync.status(),
      now: () => performance.now(),
      onInternalError: (error) => onInternalError(error, 'graphql'),
      hold,
    },
  )
}
