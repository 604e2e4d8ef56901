import { availableParallelism } from 'node:os'
import { derived, option } from './option.ts'
import { bigInteger, decimal, natural, oneOf, seconds, wei } from './values.ts'

/** One for calls that take long, one for those that turn out to be short, and more where there are cores to spare. */
const usualReaders = derived('half the cores, from 2 to 4; 0 with one core', () => {
  const cores = availableParallelism()
  return cores === 1 ? 0 : Math.min(Math.max(cores >> 1, 2), 4)
})

/** On the development network nothing is so long that the next request would wait, and memory counts. */
const usualServers = derived('1; 0 on the DEV network', (given) => (given.has('genesis-file') ? 1 : 0))

const rangeLimit = derived('none on the DEV network, else 1000', (given) => (given.has('genesis-file') ? 1000 : 0))

// Besu's form is for those who come from Besu; the libraries that contracts are tested with look for geth's.
const usualReverts = derived('GETH on the DEV network, else BESU', (given) =>
  given.has('genesis-file') ? 'BESU' : 'GETH',
)

/** Limits of all APIs, and the gas price that they return. */
export const apiOptions = {
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
  'rpc-max-trace-steps': option(
    natural,
    0,
    'api',
    'Maximum number of steps of the EVM that a trace of debug_trace… shows; a request may ask for fewer with `limit`. 0 sets no limit.',
  ),
  'rpc-max-active-filters': option(
    natural,
    10_000,
    'api',
    'Maximum number of filters of eth_newFilter, eth_newBlockFilter and eth_newPendingTransactionFilter; 0 sets no limit. Filters that were not polled for a minute give way to new ones.',
  ),
  'rpc-filter-timeout-seconds': option(
    seconds,
    600,
    'api',
    'Seconds after which a filter that is not polled is removed.',
  ),
  'rpc-gas-cap': option(
    bigInteger,
    50_000_000n,
    'api',
    'Maximum gas of one simulated call, such as eth_call; 0 sets no limit. The calls of a request share 20 times as much.',
  ),
  'rpc-revert-format': option(
    { ...oneOf(['BESU', 'GETH'], 'any case'), label: 'FORM' },
    usualReverts,
    'api',
    'Whose form the error of a reverted call has. BESU: code -32000, "Execution reverted". GETH: code 3, "execution reverted", which libraries such as viem and web3.py recognise.',
  ),
  'rpc-servers': option(
    natural,
    usualServers,
    'api',
    'Threads that serve JSON-RPC, GraphQL and the explorer, so that requests take no time from the chain. 0 serves them in the thread of the chain, which takes less memory: the default on the development network.',
  ),
  'rpc-readers': option(
    natural,
    usualReaders,
    'api',
    'Maximum number of processes beside the node that answer calls which only read the chain and take long, such as traces, wide eth_getLogs and code that runs long, so that they delay neither blocks nor other calls. They start when they are needed; 0 answers all calls in the node itself.',
  ),
  'rpc-reader-min-milliseconds': option(
    natural,
    4,
    'api',
    'Calls that only read the chain move to readers when a call of their kind, such as of the same function of a contract, has taken so many milliseconds. 0 moves all calls that may take long.',
  ),
  'rpc-reader-timeout-seconds': option(
    seconds,
    30,
    'api',
    'Maximum time that a request may run in a reader, in seconds; then it ends with an error.',
  ),
  'estimate-gas-tolerance-ratio': option(
    decimal(0, 1),
    0.015,
    'api',
    'Share by which eth_estimateGas may be above the least gas limit that works, where the exact one costs too much to find; 0 finds it always.',
  ),
  'rpc-tx-feecap': option(
    wei,
    10n ** 18n,
    'api',
    'Maximum gas price of transactions from JSON-RPC and GraphQL; 0 sets no limit.',
  ),
  'api-gas-price-blocks': option(
    natural,
    100,
    'api',
    'Number of recent blocks that eth_gasPrice considers; with 0 it returns the minimum gas price.',
  ),
  'api-gas-price-percentile': option(
    decimal(0, 100),
    50,
    'api',
    'Percentile of their gas prices that eth_gasPrice returns.',
  ),
  'api-gas-price-max': option(wei, 500_000_000_000n, 'api', 'Maximum gas price that eth_gasPrice returns.'),
}
