import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLimits } from '../../../test/support/openLimits.ts'
import { openTestChain, removeFolder, type TestChain } from '../../../test/support/testChain.ts'
import type { ChainView } from '../../chain/view.ts'
import { createEvms } from '../../query/evms.ts'
import { methods } from '../methods/all.ts'
import type { RpcPorts } from './context.ts'
import { createDispatcher } from './dispatch.ts'
import { httpTransport, type Reply } from './dispatcher.ts'
import { faultTable } from './faultTable.ts'

const gasCap = 1_000_000n
let node: TestChain
let view: ChainView & { close(): void }
let ports: RpcPorts
beforeAll(() => {
  node = openTestChain()
  view = node.chain.openView()
  ports = {
    chain: () => view,
    evms: createEvms(),
    limits: openLimits,
    client: { version: 'test', networkId: 1n },
    traces: {
      openSpill: () => ({ append: () => {}, read: () => new Uint8Array(0), close: () => {} }),
      create() {
        throw new TypeError('no file is wanted here')
      },
    },
  }
})
afterAll(async () => {
  view.close()
  await node.close()
  removeFolder(node.path)
})

/** A dispatcher for which each look at the clock takes `step` milliseconds. */
function setUp(step: number, time = 1_000_000_000) {
  let now = 0
  const begun: string[] = []
  const dispatcher = createDispatcher({
    methods,
    knownNames: new Set(),
    namespaces: ['ETH', 'NET', 'DEBUG', 'TRACE'],
    transport: httpTransport(0),
    faults: faultTable,
    onInternalError: (error) => {
      throw error
    },
    onCall: (name) => void begun.push(name),
    limits: { gasCap, time },
    now: () => (now += step),
  })
  return { begun, dispatch: (calls: unknown) => dispatcher.dispatch(JSON.stringify(calls), ports) }
}

const endless = { data: '0x5b600056' }
const callsOf = (count: number, method: string, params: readonly unknown[]) =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method, params }))
const codesOf = ({ body }: Reply) =>
  (
    JSON.parse(typeof body === 'string' ? body : [...body].join('')) as { error?: { code: number; message: string } }[]
  ).map(({ error }) => error && `${error.code} ${error.message}`)
const halted = '-32000 Transaction processing could not be completed due to an exception'
const late = '-32603 Timeout expired'

test('a batch of endless calls lets others have their turn', async () => {
  const { begun, dispatch } = setUp(30)
  const batch = dispatch(callsOf(8, 'eth_call', [endless, 'latest']))
  let turns = 0
  let ended = false
  const count = () => {
    turns++
    if (!ended) setImmediate(count)
  }
  setImmediate(count)
  await dispatch({ jsonrpc: '2.0', id: 1, method: 'net_version', params: [] })
  expect(begun.filter((name) => name === 'eth_call').length).toBeLessThan(8)
  expect(codesOf(await batch)).toEqual(Array(8).fill(halted))
  ended = true
  expect(turns).toBeGreaterThanOrEqual(6)
})

test.each<[string, readonly unknown[], string]>([
  ['eth_call', [endless, 'latest'], halted],
  ['eth_call', [endless, 'latest', { [`0x${'ab'.repeat(20)}`]: { balance: '0x1' } }], halted],
  ['eth_estimateGas', [endless], `${halted}: INSUFFICIENT_GAS`],
  ['eth_createAccessList', [endless], `${halted}: INSUFFICIENT_GAS`],
])('the calls of a request share gas: %s', async (method, params, failure) => {
  const { dispatch } = setUp(0)
  const codes = codesOf(await dispatch(callsOf(25, method, params)))
  expect(codes).toEqual([...Array<string>(20).fill(failure), ...Array<string>(5).fill(late)])
})

test.each<[string, readonly unknown[]]>([
  ['trace_call', [{ ...endless, gasPrice: '0x0' }, [], 'latest']],
  ['debug_traceCall', [endless, 'latest', { tracer: 'callTracer' }]],
])('traced calls count: %s', async (method, params) => {
  const { dispatch } = setUp(0)
  const codes = codesOf(await dispatch(callsOf(25, method, params)))
  expect(codes).toEqual([...Array<undefined>(20).fill(undefined), ...Array<string>(5).fill(late)])
})

test('simulated blocks count, also those that are refused in the end', async () => {
  const { dispatch } = setUp(0)
  const refused = { from: `0x${'ab'.repeat(20)}`, value: '0x1' }
  const calls = [{ input: endless.data, gas: '0x2faf080' }, refused]
  const simulation = { blockStateCalls: [{ blockOverrides: { gasLimit: '0x3b9aca00' }, calls }] }
  const codes = codesOf(await dispatch(callsOf(3, 'eth_simulateV1', [simulation, 'latest'])))
  expect(codes.map((code) => code?.split(' ')[0])).toEqual(['-38014', '-32603', '-32603'])
})

test('a request ends when its time is over: what has not begun is answered with a timeout', async () => {
  const { begun, dispatch } = setUp(10, 100)
  const codes = codesOf(await dispatch(callsOf(50, 'net_version', [])))
  expect(codes).toHaveLength(50)
  expect(codes[0]).toBeUndefined()
  expect(codes.at(-1)).toBe(late)
  expect(begun.length).toBeLessThan(10)
})
