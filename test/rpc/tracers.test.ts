import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DevNode, richAddress, startDevNode } from '../support/devNode.ts'

let node: DevNode
beforeAll(async () => {
  node = await startDevNode({ 'rpc-readers': '2', 'rpc-http-api': 'ETH,EVM,DEBUG,ANVIL' })
  await node.call('anvil_impersonateAccount', [richAddress])
  for (const to of ['01', '02']) {
    await node.call('eth_sendTransaction', [
      { from: richAddress, to: `0x${to.repeat(20)}`, value: '0x5', gas: '0x5208' },
    ])
    await node.call('evm_mine')
  }
})
afterAll(() => node.stop())

const counting =
  '{ count: 0, step() { this.count++ }, fault() {}, result(ctx) { return [this.count, ctx.value, ctx.type] } }'
const looping = '{ fault() {}, result() { for (;;) {} } }'
/** Sorting cannot be interrupted. */
const sorting =
  '{ fault() {}, result() { const all = Array.from({ length: 1e6 }, (_, i) => i ^ 0x5555); for (;;) all.sort() } }'

test('a tracer in JavaScript runs on a transaction, a block and a call', async () => {
  const { transactions } = await node.call<{ transactions: string[] }>('eth_getBlockByNumber', ['0x1', false])
  const options = { tracer: counting }
  expect(await node.call('debug_traceTransaction', [transactions[0], options])).toEqual([0, '5', 'CALL'])
  const ofBlock = [{ txHash: transactions[0], result: [0, '5', 'CALL'] }]
  expect(await node.call('debug_traceBlockByNumber', ['0x1', options])).toEqual(ofBlock)
  // PUSH1 1, PUSH1 2, ADD, STOP
  const call = { data: '0x6001600201' }
  expect(await node.call('debug_traceCall', [call, 'latest', options])).toEqual([4, '0', 'CREATE'])
  const several = { tracer: 'muxTracer', tracerConfig: { [counting]: {}, callTracer: {} } }
  expect(await node.call('debug_traceCall', [call, 'latest', several])).toMatchObject({
    [counting]: [4, '0', 'CREATE'],
  })
})

test('one that fails says why, in a block beside its transaction', async () => {
  const { transactions } = await node.call<{ transactions: string[] }>('eth_getBlockByNumber', ['0x1', false])
  const options = { tracer: '{ fault() {}, result() { return nothing } }' }
  const message = expect.stringMatching(
    /^(Tracer failed: )?ReferenceError: .* {4}in server-side tracer function 'result'$/,
  )
  const { error } = await node.send('debug_traceTransaction', [transactions[0], options])
  expect(error).toEqual({ code: -32000, message })
  expect(await node.call('debug_traceBlockByNumber', ['0x1', options])).toEqual([
    { txHash: transactions[0], error: message },
  ])
  const noDuration = await node.send('debug_traceTransaction', [transactions[0], { tracer: counting, timeout: 'soon' }])
  expect(noDuration.error).toMatchObject({ code: -32602 })
})

test('one that loops, or cannot even be interrupted, ends with an error, and disturbs nobody', async () => {
  const { transactions } = await node.call<{ transactions: string[] }>('eth_getBlockByNumber', ['0x1', false])
  const ask = (tracer: string) => node.send('debug_traceTransaction', [transactions[0], { tracer, timeout: '1s' }])
  let isOver = false
  const both = Promise.all([ask(looping), ask(sorting)]).finally(() => (isOver = true))
  let answers = 0
  while (!isOver) {
    await node.call('evm_mine')
    answers++
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const [looped, sorted] = await both
  expect(looped.error?.message).toMatch(/execution timeout/)
  expect(sorted.error?.message).toMatch(/the call took over 6 s/)
  expect(answers).toBeGreaterThan(10)
  expect(await node.call('debug_traceTransaction', [transactions[0], { tracer: counting }])).toEqual([0, '5', 'CALL'])
}, 60_000)

test('a node without readers says that it needs them', async () => {
  const alone = await startDevNode({ 'rpc-http-api': 'DEBUG' })
  const { error } = await alone.send('debug_traceCall', [{ data: '0x00' }, 'latest', { tracer: counting }])
  expect(error?.message).toMatch(/--rpc-readers=0/)
  await alone.stop()
})
