import { type MetricCategory, metricPrefixes } from '../primitives/metrics.ts'
import { badValue } from './fault.ts'
import { derived, option, unset, type Values } from './option.ts'
import {
  address,
  bigInteger,
  boolean,
  bootnode,
  type Codec,
  decimal,
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
  oneOf,
  origins,
  path,
  port,
  positive,
  ratio,
  seconds,
  text,
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
  api: 'Limits and prices of the API',
  pool: 'Transaction pool',
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

/** Knows the names that Besu knows, so that the message can say why a public network is refused. */
const network: Codec<'DEV'> = {
  label: 'DEV',
  arity: 'one',
  decode(text) {
    const name = anyNetwork.decode(text)
    if (name !== 'DEV')
      throw badValue(`${name} is not a private network; use DEV, or describe a network with --genesis-file`)
    return name
  },
  encode: (name) => name,
}

const natMethods = ['UPNP', 'UPNPP2PONLY', 'DOCKER', 'KUBERNETES', 'AUTO', 'NONE'] as const
const anyNatMethod = oneOf(natMethods, 'any case')

/** Knows the methods that Besu knows, so that the message can say what to do instead of those that are not here. */
const natMethod: Codec<'AUTO' | 'NONE' | 'UPNP' | 'UPNPP2PONLY'> = {
  label: 'AUTO|NONE|UPNP|UPNPP2PONLY',
  arity: 'one',
  decode(text) {
    const method = anyNatMethod.decode(text)
    if (method === 'DOCKER' || method === 'KUBERNETES')
      throw badValue(`${method} is not offered; give the outer address as --p2p-host`)
    return method
  },
  encode: (method) => method,
}

const besuApis = ['EEA', 'ENGINE', 'PERM', 'PLUGINS', 'PRIV'] as const
/** The groups of methods that there are; those of Besu that are missing here are refused by name. */
export const apiGroups = [
  'ADMIN',
  'CLIQUE',
  'DEBUG',
  'ETH',
  'IBFT',
  'MINER',
  'NET',
  'QBFT',
  'TRACE',
  'TXPOOL',
  'WEB3',
] as const
const anyApis = listOf([...apiGroups, ...besuApis])

const apis: Codec<readonly (typeof apiGroups)[number][]> = {
  ...listOf(apiGroups),
  decode(text) {
    const names = anyApis.decode(text)
    const empty = names.filter((name) => besuApis.some((other) => other === name))
    if (empty.length)
      throw badValue(`there are no methods of ${empty.join(', ')}; the groups are ${apiGroups.join(', ')}`)
    return names.filter((name): name is (typeof apiGroups)[number] => !empty.includes(name))
  },
}
const defaultApis = ['ETH', 'NET', 'WEB3'] as const

// A node that was told nothing is a development network, and useless if it cannot be reached.
const onForDev = derived('true on the DEV network, else false', (given) => !given.has('genesis-file'))

// A development network is alone unless it was told of others; several on one machine must not fight over a port.
const onWithPeers = derived('false on the DEV network when it is alone, else true', (given) =>
  ['genesis-file', 'p2p-host', 'p2p-interface', 'p2p-port', 'bootnodes', 'static-nodes-file'].some((name) =>
    given.has(name),
  ),
)

const metricCategories = (Object.keys(metricPrefixes) as MetricCategory[]).map(
  (name) => name.toUpperCase() as Uppercase<MetricCategory>,
)

/** Every option of the main command. The parser, help, environment and TOML names, docs and `Config` come from it. */
export const options = {
  'config-file': option(path('FILE'), unset(), 'node', 'TOML file with further options.'),
  'data-path': option(path('PATH'), 'data', 'node', 'Folder of the database and the node key; created if missing.'),
  'genesis-file': option(path('FILE'), unset(), 'node', 'Genesis file of a private network; excludes --network.'),
  network: option(network, 'DEV', 'node', 'Built-in network to run.'),
  'network-id': option(bigInteger, unset('chain id; 2018 on DEV'), 'node', 'Identifier that peers must share.'),
  'node-private-key-file': option(path('FILE'), unset('key in the data path'), 'node', 'Private key in hexadecimal.'),
  identity: option(identity, unset(), 'node', 'Name to insert into the client version.'),
  'history-blocks': option(natural, 0, 'node', 'Blocks behind the head whose state stays readable; 0 keeps all.'),
  'auto-log-bloom-caching-enabled': option(boolean, true, 'node', 'Index the logs of blocks as they come.'),
  'revert-reason-enabled': option(boolean, false, 'node', 'Store why a transaction reverted, and give it in receipts.'),
  logging: option(logLevel, 'INFO', 'node', 'Least severe level that is logged; FATAL is read as ERROR.', {
    aliases: ['l'],
  }),
  'color-enabled': option(boolean, unset('true on a terminal, else false'), 'node', 'Color the log.'),

  'dev-period': option(integer(0, 86400), 0, 'mining', 'Seconds between blocks on DEV; 0 waits for transactions.'),
  'miner-enabled': option(boolean, false, 'mining', 'Make blocks for --miner-coinbase.'),
  'miner-coinbase': option(address, unset(), 'mining', 'Account that the rewards and fees of made blocks go to.'),
  'miner-extra-data': option(hexData(32), new Uint8Array(0), 'mining', 'Extra data of made blocks, 32 bytes at most.'),
  'min-gas-price': option(wei, 1000n, 'mining', 'Lowest gas price that is accepted and suggested.'),
  'min-priority-fee': option(wei, 0n, 'mining', 'Lowest priority fee for which a transaction enters made blocks.'),
  'min-block-occupancy-ratio': option(ratio, 0.8, 'mining', 'Share of the gas limit at which a block may end.'),
  'target-gas-limit': option(positive, unset(), 'mining', 'Gas limit that made blocks move towards, if given.'),

  'p2p-enabled': option(boolean, onWithPeers, 'p2p', 'Connect with other nodes.'),
  'p2p-host': option(ip, '127.0.0.1', 'p2p', 'IP address that other nodes are told to connect to.'),
  'p2p-interface': option(ip, '0.0.0.0', 'p2p', 'IP address of the interface to listen on.'),
  'p2p-port': option(port, 30303, 'p2p', 'Port to listen on, TCP and UDP; 0 takes any free one.'),
  'nat-method': option(
    natMethod,
    'AUTO',
    'p2p',
    'How others reach the node: AUTO and NONE tell them --p2p-host; UPNP has the router forward the ports of p2p and ' +
      'JSON-RPC and tells them its outer address, UPNPP2PONLY that of p2p alone.',
  ),
  'discovery-enabled': option(boolean, true, 'p2p', 'Look for nodes over UDP, and be found.'),
  bootnodes: option(list(bootnode), [], 'p2p', 'Nodes to start looking from, as enode URLs or records.'),
  'static-nodes-file': option(
    path('FILE'),
    unset('static-nodes.json in the data path'),
    'p2p',
    'JSON array of the enode URLs to stay connected with.',
  ),
  'max-peers': option(natural, 25, 'p2p', 'Peers at a time; static ones may exceed it.', {
    aliases: ['p2p-peer-upper-bound'],
  }),
  'remote-connections-limit-enabled': option(boolean, true, 'p2p', 'Limit how many peers have connected to this node.'),
  'remote-connections-max-percentage': option(integer(0, 100), 60, 'p2p', 'Percent of --max-peers for that limit.'),
  'random-peer-priority-enabled': option(boolean, false, 'p2p', 'When full, keep a random choice, not the oldest.'),
  'banned-node-ids': option(list(nodeId), [], 'p2p', 'Node ids that are never connected with.', {
    aliases: ['banned-node-id'],
  }),

  'rpc-http-enabled': option(boolean, onForDev, 'http', 'Serve JSON-RPC over HTTP.'),
  'rpc-http-host': option(host, '127.0.0.1', 'http', 'Interface to listen on.'),
  'rpc-http-port': option(port, 8545, 'http', 'Port to listen on; 0 takes any free one.'),
  'rpc-http-api': option(apis, defaultApis, 'http', 'API groups served.', { aliases: ['rpc-http-apis'] }),
  'rpc-http-cors-origins': option(origins, [], 'http', 'Origins that browsers may call from, as regular expressions.'),
  'host-allowlist': option(hosts, ['localhost', '127.0.0.1'], 'http', 'Host names that requests may be addressed to.', {
    aliases: ['host-whitelist'],
  }),
  'rpc-http-max-active-connections': option(positive, 80, 'http', 'Open connections; further ones are closed at once.'),
  'rpc-http-max-batch-size': option(integer(-1, 2 ** 31 - 1), 1024, 'http', 'Calls in a batch; -1 or 0 sets no limit.'),
  'rpc-http-max-request-content-length': option(positive, 5242880, 'http', 'Bytes of one request body.'),
  'json-pretty-print-enabled': option(boolean, false, 'http', 'Indent the JSON of answers.'),
  'Xhttp-timeout-seconds': option(seconds, 300, 'http', 'Seconds that a call may take.'),

  'rpc-ws-enabled': option(boolean, onForDev, 'ws', 'Serve JSON-RPC over WebSocket.'),
  'rpc-ws-host': option(host, '127.0.0.1', 'ws', 'Interface to listen on.'),
  'rpc-ws-port': option(port, 8546, 'ws', 'Port to listen on; 0 takes any free one.'),
  'rpc-ws-api': option(apis, defaultApis, 'ws', 'API groups served.', { aliases: ['rpc-ws-apis'] }),
  'rpc-ws-max-active-connections': option(positive, 80, 'ws', 'Open connections; further ones are closed at once.'),
  'rpc-ws-max-frame-size': option(positive, 1048576, 'ws', 'Bytes of a frame; a message may have four times as many.'),
  'Xws-timeout-seconds': option(seconds, 300, 'ws', 'Seconds that a call may take.'),

  'graphql-http-enabled': option(boolean, onForDev, 'graphql', 'Serve GraphQL over HTTP, at /graphql.'),
  'graphql-http-host': option(host, '127.0.0.1', 'graphql', 'Interface to listen on.'),
  'graphql-http-port': option(port, 8547, 'graphql', 'Port to listen on; 0 takes any free one.'),
  'graphql-http-cors-origins': option(
    origins,
    [],
    'graphql',
    'Origins that browsers may call from, as regular expressions.',
  ),
  'graphql-long-as-hex': option(
    boolean,
    false,
    'graphql',
    'Write numbers of type Long in hex, as clients of newer versions of Besu and geth expect, not as JSON integers.',
  ),

  'rpc-max-logs-range': option(natural, 1000, 'api', 'Blocks that one eth_getLogs may span; 0 sets no limit.'),
  'rpc-max-trace-filter-range': option(natural, 1000, 'api', 'Blocks that one trace_filter may span; 0 sets no limit.'),
  'rpc-tx-feecap': option(wei, 10n ** 18n, 'api', 'Highest gas price that is sent on; 0 sets no limit.'),
  'api-gas-price-blocks': option(positive, 100, 'api', 'Blocks that eth_gasPrice looks back over.'),
  'api-gas-price-percentile': option(decimal(0, 100), 50, 'api', 'Percentile of their prices that it gives.'),
  'api-gas-price-max': option(wei, 500_000_000_000n, 'api', 'Highest answer of eth_gasPrice.'),

  'tx-pool': option(oneOf(['layered', 'legacy'], 'any case'), 'layered', 'pool', 'Which family of limits below holds.'),
  'tx-pool-price-bump': option(
    integer(0, 1000),
    unset('10; 0 where gas is free'),
    'pool',
    'Percent that a replacement must pay more.',
  ),
  'tx-pool-max-future-by-sender': option(positive, 200, 'pool', 'How far ahead a nonce may be (layered).'),
  'tx-pool-layer-max-capacity': option(positive, 12_500_000, 'pool', 'Bytes of each further layer (layered).'),
  'tx-pool-max-size': option(positive, 4096, 'pool', 'Transactions in the pool (legacy).'),
  'tx-pool-limit-by-account-percentage': option(ratio, 0.001, 'pool', 'Share of the pool per sender (legacy).'),
  'tx-pool-retention-hours': option(positive, 13, 'pool', 'Hours that a transaction may wait (legacy).'),
  'tx-pool-no-local-priority': option(boolean, false, 'pool', 'Do not favour transactions sent to this node.', {
    aliases: ['tx-pool-disable-locals'],
  }),
  'tx-pool-priority-senders': option(list(address), [], 'pool', 'Senders whose transactions go first.'),
  'tx-pool-enable-save-restore': option(boolean, false, 'pool', 'Save the pool at stop and read it at start.'),
  'tx-pool-save-file': option(path('FILE'), 'txpool.dump', 'pool', 'File for that, relative to the data path.'),
  'strict-tx-replay-protection-enabled': option(boolean, false, 'pool', 'Refuse transactions without chain id.'),

  'metrics-enabled': option(boolean, false, 'metrics', 'Serve measures of the node to Prometheus, at /metrics.'),
  'metrics-host': option(host, '127.0.0.1', 'metrics', 'Interface to listen on.'),
  'metrics-port': option(port, 9545, 'metrics', 'Port to listen on; 0 takes any free one.'),
  'metrics-category': option(
    listOf(metricCategories),
    derived('all', () => metricCategories),
    'metrics',
    'Categories to serve or send; those that need what is not here are empty.',
    { aliases: ['metrics-categories'] },
  ),
  'metrics-push-enabled': option(boolean, false, 'metrics', 'Send measures to a Prometheus push gateway instead.'),
  'metrics-push-host': option(host, '127.0.0.1', 'metrics', 'Host of the gateway.'),
  'metrics-push-port': option(port, 9001, 'metrics', 'Port of the gateway.'),
  'metrics-push-interval': option(seconds, 15, 'metrics', 'Seconds between two sendings.'),
  'metrics-push-prometheus-job': option(text('NAME'), 'besu-client', 'metrics', 'Name of the job there.'),
}

/** Settled value of every option. */
export type Config = Values<typeof options>
