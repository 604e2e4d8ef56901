/** A request that takes a node long. */
export interface HeavyCall {
  readonly name: string
  /** Whether it goes to the server of GraphQL. */
  readonly isGraphql: boolean
  /** The body, on a chain with this head. */
  body(head: number): string
}

/** Runs until its gas is used up, and asks for as much as nodes give. */
const loop = { data: '0x5b600056', gas: '0x2faf080' }
const hex = (number: number) => `0x${Math.max(0, number).toString(16)}`

function call(method: string, params: (head: number) => readonly unknown[]): HeavyCall {
  const body = (head: number) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params(head) })
  return { name: method, isGraphql: false, body }
}

/** The widest range of blocks that nodes allow without further options. */
const widest = 1000

const query = (head: number) =>
  `{ blocks(from: ${Math.max(0, head - 100)}, to: ${head}) { number hash transactions { hash index value } } }`

export const heavyCalls: readonly HeavyCall[] = [
  call('eth_call', () => [loop, 'latest']),
  call('debug_traceCall', () => [loop, 'latest', {}]),
  call('debug_traceBlockByNumber', (head) => [hex(head - 1), {}]),
  call('trace_filter', (head) => [{ fromBlock: hex(head - widest), toBlock: hex(head) }]),
  call('eth_getLogs', (head) => [{ fromBlock: hex(head - widest), toBlock: hex(head) }]),
  { name: 'GraphQL', isGraphql: true, body: (head) => JSON.stringify({ query: query(head) }) },
]
