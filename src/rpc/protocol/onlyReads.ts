import type { RpcContext } from './context.ts'
import type { Method } from './method.ts'

/** Ports that show the chain, and of nothing that the node keeps in memory. */
const readPorts: ReadonlySet<keyof RpcContext> = new Set(['budget', 'chain', 'evms', 'limits', 'traces'])

/** Methods that read headers over a range, and use their engine for nothing else. */
const ofHeaders: ReadonlySet<string> = new Set(['clique', 'ibft', 'qbft'].map((engine) => `${engine}_getSignerMetrics`))

/** Methods that may take long although they run no code. */
const wide: ReadonlySet<string> = new Set([
  ...['debug_accountRange', 'eth_feeHistory', 'eth_getLogs', 'eth_getProof'],
  ...['quoin_getEvents', 'quoin_getTokenTransfers', 'quoin_getTokens', 'quoin_getTokenHolders'],
  ...ofHeaders,
])

/** Whether the answers of a method depend on nothing but the chain, so that a reader can give them. */
export function onlyReads({ name, needs }: Method): boolean {
  return needs.every((port) => readPorts.has(port)) || ofHeaders.has(name)
}

/** Whether a call of a method that only reads can take so long that others should not wait for it. */
export function mayTakeLong(method: Method): boolean {
  return onlyReads(method) && (method.needs.includes('evms') || wide.has(method.name))
}

/** Further ports by which a method does not change the chain. */
const lookPorts: ReadonlySet<keyof RpcContext> = new Set([
  'client',
  'names',
  'peers',
  'pool',
  'server',
  'services',
  'sync',
])

/** Methods of the pool that add transactions. */
const sending: ReadonlySet<string> = new Set(['debug_batchSendRawTransaction', 'eth_sendRawTransaction'])

/** Whether a method leaves the chain as it is; all such calls of a batch read one snapshot. */
export function leavesChain(method: Method): boolean {
  const { name, needs } = method
  return onlyReads(method) || (needs.every((port) => readPorts.has(port) || lookPorts.has(port)) && !sending.has(name))
}
