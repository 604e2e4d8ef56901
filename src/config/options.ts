import { availableParallelism } from 'node:os'
import { defaultDevFork, devForks } from '../forks/devGenesis.ts'
import { type MetricCategory, metricPrefixes } from '../primitives/metrics.ts'
import { badValue } from './fault.ts'
import { embeddedManagerOptions } from './managerOptions.ts'
import { derived, type GivenTexts, option, unset, type Values } from './option.ts'
import { poolOf } from './poolLimits.ts'
import { graphqlTlsOptions, httpTlsOptions, privacyTlsOptions, wsTlsOptions } from './tlsOptions.ts'
import {
  address,
  bigInteger,
  boolean,
  bootnode,
  decimal,
  forkOf,
  hexData,
  host,
  hosts,
  identity,
  integer,
  ip,
  list,
  listOf,
  logLevel,
  natural,
  nodeId,
  numberedHash,
  type OptionCodec,
  oneOf,
  origins,
  path,
  port,
  positive,
  ratio,
  seconds,
  text,
  url,
  wei,
} from './values.ts'

/** Headings of the help text and of the generated page, in order. */
export const groups = {
  node: 'Node and chain',
  mining: 'Block production',
  p2p: 'Peers',
  http: 'JSON-RPC over HTTP',
  ws: 'JSON-RPC over WebSocket',
  graphql: 'GraphQL',
  explorer: 'Explorer',
  api: 'API limits and gas price',
  pool: 'Transaction pool',
  permissions: 'Permissioning',
  privacy: 'Private transactions',
  metrics: 'Metrics',
} as const

const networks = [
  'MAINNET',
  'SEPOLIA',
  'GOERLI',
  'HOLESKY',
  'DEV',
  'FUTURE_EIPS',
  'EXPERIMENTAL_EIPS',
  'CLASSIC',
  'MORDOR',
] as const
const anyNetwork = oneOf(networks, 'any case')

/** Accepts all of Besu's network names, so that the message can say why a public network is rejected. */
const network: OptionCodec<'DEV'> = {
  label: 'DEV',
  arity: 'one',
  decode(text) {
    const name = anyNetwork.decode(text)
    if (name !== 'DEV')
      throw badValue(`${name} is not a private network; use DEV, or configure a network with --genesis-file`)
    return name
  },
  encode: (name) => name,
}

const natMethods = ['UPNP', 'UPNPP2PONLY', 'DOCKER', 'KUBERNETES', 'AUTO', 'NONE'] as const

/** Besu's algorithms; with HS256 the public key would be the secret that tokens are signed with. */
const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'HS256', 'ES512'] as const
const tokenAlgorithm = { ...oneOf(algorithms, 'any case'), label: 'NAME' }

const besuApis = ['ENGINE', 'PLUGINS'] as const
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
  return empty.length ? `Option '--${name}': ${empty.join(' and ')} has no methods here` : undefined
}
const defaultApis = ['ETH', 'NET', 'WEB3'] as const
const devApis = ['ETH', 'NET', 'WEB3', 'ANVIL', 'DEBUG', 'EVM', 'HARDHAT', 'MINER', 'OTS', 'TRACE', 'TXPOOL'] as const

const privateApis = ['EEA', 'PRIV'] as const

function isPrivateDev(given: GivenTexts): boolean {
  return !given.has('genesis-file') && given.get('privacy-enabled')?.toLowerCase() === 'true'
}

// A DEV node listens on this machine only, unless it is told otherwise, and has nothing to protect.
const servedApis = derived(
  `${devApis.join(', ')} on the DEV network (${privateApis.join(', ')} too with --privacy-enabled), else ${defaultApis.join(', ')}`,
  (given) => {
    if (given.has('genesis-file')) return defaultApis
    return isPrivateDev(given) ? [...devApis, ...privateApis] : devApis
  },
)

// Random keys sign the markers of private transactions: they have nothing to pay with.
const minGasPrice = derived('1000; 0 on the DEV network with --privacy-enabled', (given) =>
  isPrivateDev(given) ? 0n : 1000n,
)

/** Origins of pages that this machine serves and of browser extensions, such as wallets. */
export const localOrigins = [
  'https?://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?',
  '(chrome|moz|safari-web)-extension://.*',
] as const

const servedOrigins = derived('localhost and browser extensions on the DEV network, else none', (given) =>
  given.has('genesis-file') ? [] : localOrigins,
)

/** One for calls that take long, one for those that turn out to be short, and more where there are cores to spare. */
const usualReaders = derived('half the cores, from 2 to 4; 0 with one core', () => {
  const cores = availableParallelism()
  return cores === 1 ? 0 : Math.min(Math.max(cores >> 1, 2), 4)
})

const rangeLimit = derived('none on the DEV network, else 1000', (given) => (given.has('genesis-file') ? 1000 : 0))

// Without options the node runs the DEV network, which is useless if its API is off.
const onForDev = derived('true on the DEV network, else false', (given) => !given.has('genesis-file'))

// A DEV node has no peers unless P2P options are set; several on one machine must not compete for a port.
const onWithPeers = derived('false on the DEV network unless another P2P option is set, else true', (given) =>
  ['genesis-file', 'p2p-host', 'p2p-interface', 'p2p-port', 'bootnodes', 'static-nodes-file'].some((name) =>
    given.has(name),
  ),
)

const metricCategories = (Object.keys(metricPrefixes) as MetricCategory[]).map(
  (name) => name.toUpperCase() as Uppercase<MetricCategory>,
)

/** Options of the main command. Parser, help, environment and TOML names, docs and `Config` are derived from it. */
export const options = {
  'config-file': option(path('FILE'), unset(), 'node', 'TOML configuration file.'),
  'data-path': option(path('PATH'), 'data', 'node', 'Directory of the database and the node key; created if missing.'),
  'genesis-file': option(
    path('FILE'),
    unset(),
    'node',
    "Genesis file of a private network; can't be used with --network.",
  ),
  network: option(network, 'DEV', 'node', 'Built-in network to run.'),
  'network-id': option(bigInteger, unset('chain id; 2018 on DEV'), 'node', 'Network ID; peers must have the same.'),
  'node-private-key-file': option(
    path('FILE'),
    unset('key in the data path, created if missing'),
    'node',
    'Node private key file; must exist if given.',
  ),
  identity: option(identity, unset(), 'node', 'Name included in the client version.'),
  'history-blocks': option(natural, 0, 'node', 'Number of recent blocks whose state is kept; 0 keeps all.'),
  'required-blocks': option(
    list(numberedHash),
    [],
    'node',
    'Blocks that the chain must have: one with this number and another hash is invalid.',
    { aliases: ['required-block'] },
  ),
  'kzg-trusted-setup': option(
    path('FILE'),
    unset("the setup of Ethereum's ceremony"),
    'node',
    'KZG trusted setup of networks with blobs; must be that of Ethereum.',
  ),
  'pid-path': option(path('PATH'), unset(), 'node', 'File for the process id; removed when the node stops.'),
  'reorg-logging-threshold': option(
    natural,
    0,
    'node',
    'Reorganisations that remove fewer blocks than this are logged at level DEBUG.',
  ),
  'auto-log-bloom-caching-enabled': option(boolean, true, 'node', 'Index the logs of new blocks.'),
  'revert-reason-enabled': option(boolean, false, 'node', 'Store revert reasons and include them in receipts.'),
  logging: option(logLevel, 'INFO', 'node', 'Logging verbosity; FATAL is read as ERROR.', {
    aliases: ['l'],
  }),
  'log-format': option(
    oneOf(['text', 'json'], 'any case'),
    unset('text on a terminal, else json'),
    'node',
    'Form of the log lines. With json, nothing else is written to standard output.',
  ),
  'color-enabled': option(boolean, unset('true on a terminal, else false'), 'node', 'Use colors in log output.'),

  'dev-period': option(
    integer(0, 86400),
    0,
    'mining',
    'Block period of the DEV network in seconds; 0 makes a block whenever a transaction arrives.',
  ),
  'dev-fork': option(
    forkOf(devForks),
    defaultDevFork,
    'mining',
    `Rules of the DEV network: ${devForks.join(', ')}. With london it has the genesis block of Besu's.`,
  ),
  'dev-accounts': option(
    integer(0, 1000),
    unset('10; 0 with --dev-fork=london'),
    'mining',
    "Number of accounts of --dev-mnemonic that the DEV network funds, beside the three of Besu's.",
    { aliases: ['accounts'] },
  ),
  'dev-mnemonic': option(
    text('WORDS'),
    unset('test test … junk, as in Hardhat and Foundry'),
    'mining',
    'Mnemonic of the accounts of the DEV network.',
    { aliases: ['mnemonic'] },
  ),
  'dev-balance': option(bigInteger, unset('10000'), 'mining', 'Balance of each account of --dev-mnemonic, in ether.', {
    aliases: ['balance'],
  }),
  'dev-client-version': option(
    text('TEXT'),
    unset(),
    'mining',
    'What web3_clientVersion returns on the DEV network, for tools that want to see the name of another client.',
  ),
  'miner-enabled': option(boolean, false, 'mining', 'Make blocks; requires --miner-coinbase.'),
  'miner-coinbase': option(address, unset(), 'mining', 'Account that receives block rewards and fees.'),
  'miner-extra-data': option(hexData(32), new Uint8Array(0), 'mining', 'Extra data of new blocks, at most 32 bytes.'),
  'min-gas-price': option(
    wei,
    minGasPrice,
    'mining',
    'Minimum gas price of accepted transactions, and of eth_gasPrice.',
  ),
  'min-priority-fee': option(wei, 0n, 'mining', 'Minimum priority fee of transactions included in new blocks.'),
  'min-block-occupancy-ratio': option(
    ratio,
    0.8,
    'mining',
    'Minimum share of the gas limit to fill before a transaction that does not fit ends the block.',
  ),
  'target-gas-limit': option(positive, unset(), 'mining', 'Gas limit that new blocks move towards.'),

  'p2p-enabled': option(boolean, onWithPeers, 'p2p', 'Enable P2P networking.'),
  'p2p-host': option(ip, '127.0.0.1', 'p2p', 'IP address advertised to other nodes.'),
  'p2p-interface': option(ip, '0.0.0.0', 'p2p', 'IP address of the interface to listen on.'),
  'p2p-port': option(port, 30303, 'p2p', 'Port to listen on, TCP and UDP; 0 picks any free port.'),
  'nat-method': option(
    { ...oneOf(natMethods, 'any case'), label: 'METHOD' },
    'AUTO',
    'p2p',
    'NAT method. NONE and AUTO advertise --p2p-host. UPNP makes the router forward the P2P and JSON-RPC ports and ' +
      'advertises its external address; UPNPP2PONLY forwards the P2P port only. DOCKER advertises the address of the host ' +
      'name HOST_IP and the ports that HOST_PORT_<port> name; KUBERNETES those of a service.',
  ),
  'Xnat-kube-service-name': option(
    text('NAME'),
    'besu',
    'p2p',
    'Service in the namespace of the pod whose address KUBERNETES advertises.',
  ),
  'Xnat-method-fallback-enabled': option(
    boolean,
    true,
    'p2p',
    'Start with the address of --p2p-host if DOCKER or KUBERNETES does not find one; else stop.',
  ),
  'discovery-enabled': option(boolean, true, 'p2p', 'Enable peer discovery over UDP.'),
  bootnodes: option(list(bootnode), [], 'p2p', 'Bootnodes for discovery, as enode URLs or ENRs.'),
  'static-nodes-file': option(
    path('FILE'),
    unset('static-nodes.json in the data path'),
    'p2p',
    'JSON file with an array of enode URLs to stay connected with.',
  ),
  'max-peers': option(natural, 25, 'p2p', 'Maximum number of peers; static nodes may exceed it.', {
    aliases: ['p2p-peer-upper-bound'],
  }),
  'remote-connections-limit-enabled': option(boolean, true, 'p2p', 'Limit the share of inbound peers.'),
  'remote-connections-max-percentage': option(
    integer(0, 100),
    60,
    'p2p',
    'Maximum percentage of --max-peers that may be inbound.',
  ),
  'random-peer-priority-enabled': option(
    boolean,
    false,
    'p2p',
    'At the peer limit, keep a random selection of peers instead of the oldest.',
  ),
  'banned-node-ids': option(list(nodeId), [], 'p2p', 'Node IDs to never connect with.', {
    aliases: ['banned-node-id'],
  }),
  'Xdns-enabled': option(
    boolean,
    false,
    'p2p',
    'Allow host names in enode URLs. A name is looked up once: at the start, or when it is given.',
  ),
  'Xdns-update-enabled': option(
    boolean,
    false,
    'p2p',
    'Look up the host names of the nodes-allowlist again every minute, so that nodes may change their addresses.',
  ),

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
    'Maximum number of calls in a batch, also over WebSocket; -1 or 0 sets no limit.',
  ),
  'rpc-http-max-request-content-length': option(positive, 5242880, 'http', 'Maximum size of a request body in bytes.'),
  'json-pretty-print-enabled': option(boolean, false, 'http', 'Pretty-print JSON responses.'),
  'Xhttp-timeout-seconds': option(seconds, 300, 'http', 'Timeout of a request in seconds.'),
  ...httpTlsOptions,

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
  'Xws-timeout-seconds': option(seconds, 300, 'ws', 'Timeout of a request in seconds.'),
  ...wsTlsOptions,

  'graphql-http-enabled': option(boolean, onForDev, 'graphql', 'Serve GraphQL over HTTP, at /graphql.'),
  'graphql-http-host': option(host, '127.0.0.1', 'graphql', 'Interface to listen on.'),
  'graphql-http-port': option(port, 8547, 'graphql', 'Port to listen on; 0 picks any free port.'),
  'graphql-http-cors-origins': option(
    origins,
    servedOrigins,
    'graphql',
    'Allowed CORS origins, as regular expressions.',
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

  'rpc-max-requests-per-second': option(
    natural,
    0,
    'api',
    'Maximum number of calls per second of one client address, over HTTP, WebSocket and GraphQL; 0 sets no limit.',
  ),
  'rpc-max-logs-range': option(natural, rangeLimit, 'api', 'Maximum block range of eth_getLogs; 0 sets no limit.'),
  'rpc-max-trace-filter-range': option(
    natural,
    rangeLimit,
    'api',
    'Maximum block range of trace_filter; 0 sets no limit.',
  ),
  'rpc-gas-cap': option(
    bigInteger,
    50_000_000n,
    'api',
    'Maximum gas of one simulated call, such as eth_call; 0 sets no limit. The calls of a request share 20 times as much.',
  ),
  'rpc-readers': option(
    natural,
    usualReaders,
    'api',
    'Maximum number of processes beside the node that answer calls which only read the chain and take long, such as traces, wide eth_getLogs and code that runs long, so that they delay neither blocks nor other calls. They start when they are needed; 0 answers all calls in the node itself.',
  ),
  'rpc-reader-min-gas': option(
    bigInteger,
    500_000n,
    'api',
    'Gas that the code of a request may spend in the node itself before the request moves to a reader. 0 moves all calls at once that may take long.',
  ),
  'rpc-reader-timeout-seconds': option(
    seconds,
    30,
    'api',
    'Maximum time that a request may run in a reader, in seconds; then it ends with an error.',
  ),
  'rpc-tx-feecap': option(
    wei,
    10n ** 18n,
    'api',
    'Maximum gas price of transactions from JSON-RPC and GraphQL; 0 sets no limit.',
  ),
  'api-gas-price-blocks': option(positive, 100, 'api', 'Number of recent blocks that eth_gasPrice considers.'),
  'api-gas-price-percentile': option(
    decimal(0, 100),
    50,
    'api',
    'Percentile of their gas prices that eth_gasPrice returns.',
  ),
  'api-gas-price-max': option(wei, 500_000_000_000n, 'api', 'Maximum gas price that eth_gasPrice returns.'),

  'tx-pool': option(
    oneOf(['layered', 'legacy', 'sequenced'], 'any case'),
    derived('layered; legacy where limits of it are set', poolOf),
    'pool',
    'Which of the limits below apply; sequenced is the newer name of legacy.',
  ),
  'tx-pool-min-gas-price': option(
    wei,
    unset('--min-gas-price'),
    'pool',
    'Minimum gas price of transactions that the pool accepts.',
  ),
  'tx-pool-price-bump': option(
    integer(0, 1000),
    unset('10; 0 on networks with free gas'),
    'pool',
    'Minimum price increase of a replacement transaction in percent.',
  ),
  'tx-pool-max-future-by-sender': option(
    positive,
    200,
    'pool',
    "Maximum distance of a nonce from the sender's next nonce (layered).",
  ),
  'tx-pool-layer-max-capacity': option(
    positive,
    12_500_000,
    'pool',
    'Maximum size of each layer after the first in bytes (layered).',
  ),
  'tx-pool-max-size': option(positive, 4096, 'pool', 'Maximum number of transactions (legacy).'),
  'tx-pool-limit-by-account-percentage': option(ratio, 0.001, 'pool', 'Maximum share of the pool per sender (legacy).'),
  'tx-pool-retention-hours': option(
    positive,
    13,
    'pool',
    'Maximum hours that a transaction stays in the pool (legacy).',
  ),
  'tx-pool-no-local-priority': option(boolean, false, 'pool', 'Give local transactions no priority over remote ones.', {
    aliases: ['tx-pool-disable-locals'],
  }),
  'tx-pool-priority-senders': option(list(address), [], 'pool', 'Senders whose transactions have priority.'),
  'tx-pool-enable-save-restore': option(boolean, false, 'pool', 'Save the pool on shutdown and restore it on startup.'),
  'tx-pool-save-file': option(
    path('FILE'),
    'txpool.dump',
    'pool',
    'File of the saved pool, relative to the data path.',
  ),
  'strict-tx-replay-protection-enabled': option(
    boolean,
    false,
    'pool',
    'Reject transactions without chain id (EIP-155) from JSON-RPC.',
  ),

  'permissions-nodes-config-file-enabled': option(
    boolean,
    false,
    'permissions',
    'Connect only with nodes of the nodes-allowlist in a permissions file.',
  ),
  'permissions-nodes-config-file': option(
    path('FILE'),
    unset('permissions_config.toml in the data path'),
    'permissions',
    'TOML file with the nodes-allowlist.',
  ),
  'permissions-accounts-config-file-enabled': option(
    boolean,
    false,
    'permissions',
    'Accept transactions only of accounts of the accounts-allowlist in a permissions file.',
  ),
  'permissions-accounts-config-file': option(
    path('FILE'),
    unset('permissions_config.toml in the data path'),
    'permissions',
    'TOML file with the accounts-allowlist.',
  ),
  'permissions-accounts-contract-enabled': option(
    boolean,
    false,
    'permissions',
    'Ask a contract which transactions are allowed: in the pool, in new blocks and in imported blocks.',
  ),
  'permissions-accounts-contract-address': option(
    address,
    unset(),
    'permissions',
    'Contract to ask about transactions.',
  ),
  'permissions-nodes-contract-enabled': option(
    boolean,
    false,
    'permissions',
    'Ask a contract which nodes may connect: for each new connection, and for all connections after each block.',
  ),
  'permissions-nodes-contract-address': option(address, unset(), 'permissions', 'Contract to ask about nodes.'),
  'permissions-nodes-contract-version': option(
    natural,
    1,
    'permissions',
    'Interface of the contract for nodes: 1 asks about both ends in one call, 2 about each end.',
  ),

  'privacy-enabled': option(
    boolean,
    false,
    'privacy',
    'Enable private transactions, with the private transaction manager inside or an external one.',
  ),
  'privacy-url': option(
    url(['http', 'https']),
    derived<URL | undefined>(
      'http://localhost:8888 with --privacy-public-key-file, else the manager inside',
      (given) => (given.has('privacy-public-key-file') ? new URL('http://localhost:8888') : undefined),
    ),
    'privacy',
    'Address of an external private transaction manager, a Tessera in Orion mode.',
  ),
  'privacy-public-key-file': option(
    path('FILE'),
    unset(),
    'privacy',
    "File with this node's public key at the external private transaction manager, in base64.",
  ),
  ...privacyTlsOptions,
  ...embeddedManagerOptions,
  'privacy-multi-tenancy-enabled': option(
    boolean,
    false,
    'privacy',
    "Let tenants share the node: each one's key is the privacyUserId of its token.",
  ),
  'privacy-marker-transaction-signing-key-file': option(
    path('FILE'),
    unset('a random key for each'),
    'privacy',
    'Private key file that signs privacy marker transactions.',
  ),
  'privacy-flexible-groups-enabled': option(
    boolean,
    false,
    'privacy',
    'Let a contract in the private state of each group keep its members, instead of the private transaction manager.',
    { aliases: ['privacy-onchain-groups-enabled'] },
  ),
  'metrics-enabled': option(boolean, false, 'metrics', 'Serve metrics to Prometheus, at /metrics.'),
  'metrics-host': option(host, '127.0.0.1', 'metrics', 'Interface to listen on.'),
  'metrics-port': option(port, 9545, 'metrics', 'Port to listen on; 0 picks any free port.'),
  'metrics-category': option(
    listOf(metricCategories),
    derived('all', () => metricCategories),
    'metrics',
    'Metric categories to enable; categories of unsupported features are empty.',
    { aliases: ['metrics-categories'] },
  ),
  'metrics-push-enabled': option(boolean, false, 'metrics', 'Push metrics to a Prometheus push gateway.'),
  'metrics-push-host': option(host, '127.0.0.1', 'metrics', 'Host of the push gateway.'),
  'metrics-push-port': option(port, 9001, 'metrics', 'Port of the push gateway.'),
  'metrics-push-interval': option(seconds, 15, 'metrics', 'Seconds between pushes.'),
  'metrics-push-prometheus-job': option(text('NAME'), 'besu-client', 'metrics', 'Job name at the push gateway.'),
}

/** Values of all options. */
export type Config = Values<typeof options>
