import { isPrivateDev, onForDev, servedOrigins } from './devDefaults.ts'
import { hosts, origins } from './networkValues.ts'
import { derived, option, unset } from './option.ts'
import { httpTlsOptions, wsTlsOptions } from './tlsOptions.ts'
import {
  boolean,
  host,
  integer,
  list,
  listOf,
  natural,
  type OptionCodec,
  oneOf,
  path,
  port,
  positive,
  seconds,
  text,
} from './values.ts'

/** Besu's algorithms; with HS256 the public key would be the secret that tokens are signed with. */
const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'HS256', 'ES512'] as const
const tokenAlgorithm = { ...oneOf(algorithms, 'any case'), label: 'NAME' }

const besuApis = ['ENGINE', 'PLUGINS', 'TESTING'] as const
/** Supported API groups; Besu's other groups are accepted and have no methods. */
export const apiGroups = [
  'ADMIN',
  'ANVIL',
  'CLIQUE',
  'DEBUG',
  'EEA',
  'ETH',
  'EVM',
  'HARDHAT',
  'IBFT',
  'MINER',
  'NET',
  'OTS',
  'PERM',
  'PRIV',
  'QBFT',
  'TRACE',
  'TXPOOL',
  'WEB3',
] as const
const anyApis = listOf([...apiGroups, ...besuApis])

const isEmptyApi = (name: string) => besuApis.some((other) => other === name)

const apis: OptionCodec<readonly (typeof apiGroups)[number][]> = {
  ...listOf(apiGroups),
  decode: (text) => anyApis.decode(text).filter((name): name is (typeof apiGroups)[number] => !isEmptyApi(name)),
}

/** Names groups of Besu that Quoin does not have. */
function warnOfEmptyApis(name: string, text: string): string | undefined {
  const empty = anyApis.decode(text).filter(isEmptyApi)
  return empty.length
    ? `Option '--${name}': ${empty.join(' and ')} ${empty.length === 1 ? 'has' : 'have'} no methods here`
    : undefined
}
const defaultApis = ['ETH', 'NET', 'WEB3'] as const
const devApis = ['ETH', 'NET', 'WEB3', 'ANVIL', 'DEBUG', 'EVM', 'HARDHAT', 'MINER', 'OTS', 'TRACE', 'TXPOOL'] as const

const privateApis = ['EEA', 'PRIV'] as const

// A DEV node listens on this machine only, unless it is configured otherwise, and has nothing to protect.
const servedApis = derived(
  `${devApis.join(', ')} on the DEV network (${privateApis.join(', ')} too with --privacy-enabled), else ${defaultApis.join(', ')}`,
  (given) => {
    if (given.has('genesis-file')) return defaultApis
    return isPrivateDev(given) ? [...devApis, ...privateApis] : devApis
  },
)

/** JSON-RPC over HTTP. */
export const httpOptions = {
  'rpc-http-enabled': option(boolean, onForDev, 'http', 'Serve JSON-RPC over HTTP.'),
  'rpc-http-host': option(host, '127.0.0.1', 'http', 'Interface to listen on.'),
  'rpc-http-port': option(port, 8545, 'http', 'Port to listen on; 0 picks any free port.'),
  'rpc-http-api': option(apis, servedApis, 'http', 'API groups to enable.', {
    aliases: ['rpc-http-apis'],
    warning: warnOfEmptyApis,
  }),
  'rpc-http-cors-origins': option(
    origins,
    servedOrigins,
    'http',
    'Allowed origins of browsers, over HTTP (CORS) and WebSocket, as regular expressions.',
  ),
  'host-allowlist': option(hosts, ['localhost', '127.0.0.1'], 'http', 'Allowed host names in requests.', {
    aliases: ['host-whitelist'],
  }),
  'rpc-http-authentication-enabled': option(
    boolean,
    false,
    'http',
    'Require authentication for JSON-RPC over HTTP, and for GraphQL.',
  ),
  'rpc-http-authentication-credentials-file': option(
    path('FILE'),
    unset(),
    'http',
    'TOML file with users, BCrypt hashes of their passwords and their permissions; it enables /login.',
  ),
  'rpc-http-authentication-jwt-public-key-file': option(
    path('FILE'),
    unset(),
    'http',
    'PEM file with the public key of the server that issues tokens (JWT).',
  ),
  'rpc-http-authentication-jwt-algorithm': option(
    tokenAlgorithm,
    'RS256',
    'http',
    'Algorithm of the tokens of that server: RS256, RS384, RS512, ES256, ES384 or ES512.',
  ),
  'rpc-http-api-methods-no-auth': option(list(text('METHOD')), [], 'http', 'Methods that need no authentication.', {
    aliases: ['rpc-http-api-method-no-auth'],
  }),
  'rpc-http-max-active-connections': option(positive, 80, 'http', 'Maximum number of open connections.'),
  'rpc-http-max-batch-size': option(
    integer(-1, 2 ** 31 - 1),
    1024,
    'http',
    'Maximum number of calls in a batch, also over WebSocket and IPC; -1 or 0 sets no limit.',
  ),
  'rpc-http-max-request-content-length': option(
    positive,
    5242880,
    'http',
    'Maximum size of a request body in bytes, and of a request over IPC.',
  ),
  'json-pretty-print-enabled': option(boolean, false, 'http', 'Pretty-print JSON responses.'),
  'Xhttp-timeout-seconds': option(seconds, 300, 'http', 'Timeout of a request in seconds.'),
  ...httpTlsOptions,
}

/** JSON-RPC over WebSocket. */
export const wsOptions = {
  'rpc-ws-enabled': option(boolean, onForDev, 'ws', 'Serve JSON-RPC over WebSocket.'),
  'rpc-ws-host': option(host, '127.0.0.1', 'ws', 'Interface to listen on.'),
  'rpc-ws-port': option(port, 8546, 'ws', 'Port to listen on; 0 picks any free port.'),
  'rpc-ws-api': option(apis, servedApis, 'ws', 'API groups to enable.', {
    aliases: ['rpc-ws-apis'],
    warning: warnOfEmptyApis,
  }),
  'rpc-ws-authentication-enabled': option(boolean, false, 'ws', 'Require authentication for JSON-RPC over WebSocket.'),
  'rpc-ws-authentication-credentials-file': option(
    path('FILE'),
    unset(),
    'ws',
    'TOML file with users, BCrypt hashes of their passwords and their permissions; it enables /login.',
  ),
  'rpc-ws-authentication-jwt-public-key-file': option(
    path('FILE'),
    unset(),
    'ws',
    'PEM file with the public key of the server that issues tokens (JWT).',
  ),
  'rpc-ws-authentication-jwt-algorithm': option(
    tokenAlgorithm,
    'RS256',
    'ws',
    'Algorithm of the tokens of that server: RS256, RS384, RS512, ES256, ES384 or ES512.',
  ),
  'rpc-ws-api-methods-no-auth': option(list(text('METHOD')), [], 'ws', 'Methods that need no authentication.', {
    aliases: ['rpc-ws-api-method-no-auth'],
  }),
  'rpc-ws-max-active-connections': option(positive, 80, 'ws', 'Maximum number of open connections.'),
  'rpc-ws-max-frame-size': option(
    positive,
    1048576,
    'ws',
    'Maximum size of a frame in bytes; a message may be four times as large.',
  ),
  'rpc-ws-max-active-subscriptions': option(
    natural,
    0,
    'ws',
    'Maximum number of subscriptions of all connections of a server (--rpc-servers), where one has 1,000 at most; 0 sets no limit.',
  ),
  'Xws-timeout-seconds': option(seconds, 300, 'ws', 'Timeout of a request in seconds, also over IPC.'),
  ...wsTlsOptions,
}

/** JSON-RPC over IPC. */
export const ipcOptions = {
  'ipc-path': option(
    path('FILE'),
    unset(),
    'ipc',
    'Unix socket of JSON-RPC with subscriptions, as of geth, which only the user of the node can open; a name without a folder lies in the data path. It is served if this is set. On Windows, the name of a pipe.',
    { aliases: ['Xrpc-ipc-path'] },
  ),
  'ipc-api': option(
    apis,
    derived('all', () => apiGroups),
    'ipc',
    'API groups to enable.',
    {
      aliases: ['Xrpc-ipc-apis', 'Xrpc-ipc-api'],
      warning: warnOfEmptyApis,
    },
  ),
}
