import { onForDev, servedOrigins } from './devDefaults.ts'
import { origins } from './networkValues.ts'
import { option, unset } from './option.ts'
import { graphqlTlsOptions } from './tlsOptions.ts'
import { boolean, host, natural, path, port } from './values.ts'

/** GraphQL, and the explorer. */
export const graphqlOptions = {
  'graphql-http-enabled': option(boolean, onForDev, 'graphql', 'Serve GraphQL over HTTP, at /graphql.'),
  'graphql-http-host': option(host, '127.0.0.1', 'graphql', 'Interface to listen on.'),
  'graphql-http-port': option(port, 8547, 'graphql', 'Port to listen on; 0 picks any free port.'),
  'graphql-http-cors-origins': option(
    origins,
    servedOrigins,
    'graphql',
    'Allowed CORS origins, as regular expressions.',
  ),
  'graphql-max-blocks-range': option(
    natural,
    0,
    'graphql',
    'Maximum distance between `from` and `to` of a query of blocks; 0 sets no limit but that of the size of an answer.',
  ),
  'graphql-long-as-hex': option(
    boolean,
    false,
    'graphql',
    'Return numbers of type Long as hex strings, like newer versions of Besu and geth, instead of JSON integers.',
  ),
  ...graphqlTlsOptions,

  'explorer-enabled': option(
    boolean,
    unset('true on the DEV network, else false'),
    'explorer',
    'Serve the explorer, a web page that shows blocks, transactions, accounts and validators.',
  ),
  'explorer-http-host': option(host, '127.0.0.1', 'explorer', 'Interface to listen on.'),
  'explorer-http-port': option(
    port,
    unset('8548; any free port if --rpc-http-port=0'),
    'explorer',
    'Port to listen on; 0 picks any free port.',
  ),
  'address-names-file': option(
    path('FILE'),
    unset(),
    'explorer',
    'JSON object of addresses with names that the explorer shows; it is read again when it changes.',
  ),
}
