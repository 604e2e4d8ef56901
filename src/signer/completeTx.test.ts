import { describe, expect, test } from 'vitest'
import { completeTx } from './completeTx.ts'
import { CallError } from './fault.ts'
import { readTxRequest } from './txRequest.ts'

const from = `0x${'01'.repeat(20)}`
const to = `0x${'02'.repeat(20)}`
const address = `0x${'03'.repeat(20)}`

/** What a node with these answers is asked, and what becomes of the request. */
async function complete(request: object, answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = []
  const withNonce = await completeTx(readTxRequest({ from, to, ...request }), 1337n, async (method, params) => {
    asked.push(method)
    if (method === 'eth_estimateGas') expect(params).toEqual([expect.objectContaining({ from, data: '0x' })])
    if (method in answers) return answers[method]
    throw new CallError({ code: 'NODE_ERROR', error: { code: -32601, message: 'Method not found' } })
  })
  return { asked: asked.sort(), tx: withNonce(9n) }
}

const london = {
  eth_getBlockByNumber: { baseFeePerGas: '0x64' },
  eth_gasPrice: '0x65',
  eth_maxPriorityFeePerGas: '0x2',
  eth_estimateGas: '0x5208',
}
const berlin = { ...london, eth_getBlockByNumber: {} }
const accessList = [{ address, storageKeys: [`0x${'00'.repeat(32)}`] }]

describe('fees and type', () => {
  test.each([
    ['a base fee', {}, london, { type: 2, maxFee: 202n, maxPriorityFee: 2n }],
    ['a gas price above base fee and tip', {}, { ...london, eth_gasPrice: '0x3e8' }, { type: 2, maxPriorityFee: 900n }],
    ['no base fee', {}, berlin, { type: 0, gasPrice: 101n }],
    ['no base fee, and an access list', { accessList }, berlin, { type: 1, gasPrice: 101n }],
    ['an access list', { accessList }, london, { type: 2, accessList: [{}] }],
    ['a gas price', { gasPrice: '0x5' }, london, { type: 0, gasPrice: 5n }],
    ['a gas price and an access list', { gasPrice: '0x5', accessList }, london, { type: 1, gasPrice: 5n }],
    ['a maximum below the tip', { maxFeePerGas: '0x1' }, london, { type: 2, maxFee: 1n, maxPriorityFee: 1n }],
    ['a tip', { maxPriorityFeePerGas: '0x5' }, london, { type: 2, maxFee: 205n, maxPriorityFee: 5n }],
    ['a type', { type: '0x0' }, london, { type: 0, gasPrice: 101n }],
    ['authorizations', { authorizationList: [] }, london, { type: 4, authorizations: [] }],
  ])('with %s', async (_, request, answers, expected) => {
    const { tx } = await complete(request, answers)
    expect(tx).toMatchObject({ chainId: 1337n, nonce: 9n, gasLimit: 21000n, ...expected })
  })

  test('of Besu, which suggests no priority fee', async () => {
    const { eth_maxPriorityFeePerGas: _, ...besu } = london
    expect((await complete({}, besu)).tx).toMatchObject({ type: 2, maxPriorityFee: 1n, maxFee: 201n })
  })

  test('are not asked for if they are given', async () => {
    const given = { gas: '0x5208', maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x1' }
    expect((await complete(given, {})).asked).toEqual([])
    expect((await complete({ gas: '0x5208', gasPrice: '0x5' }, {})).asked).toEqual([])
  })

  test('that make no sense are told', async () => {
    const attempt = complete({}, { ...london, eth_gasPrice: 'much' })
    await expect(attempt).rejects.toMatchObject({ at: { code: 'NODE_ANSWER_INVALID' } })
  })
})

test.each([
  ['a blob transaction', { blobVersionedHashes: [] }, 'blob transactions are not supported'],
  ['type 3', { type: '0x3' }, 'type 3 is not supported'],
  ['an unknown type', { type: '0x5' }, 'type 5 is not supported'],
  [
    'a legacy transaction with a fee per gas',
    { type: '0x0', maxFeePerGas: '0x1' },
    'maxFeePerGas in a transaction of type 0',
  ],
  ['a gas price with type 2', { type: '0x2', gasPrice: '0x1' }, 'gasPrice in a transaction of type 2'],
  ['a tip above the maximum', { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }, 'is above maxFeePerGas'],
  ['nothing to do', { to: null }, 'neither to nor data'],
  ['a long number', { value: `0x1${'0'.repeat(64)}` }, 'value is not a quantity'],
  ['a short storage key', { accessList: [{ address, storageKeys: ['0x00'] }] }, 'storage key'],
])('%s is refused', (_, change, reason) => {
  expect(() => readTxRequest({ from, to, ...change })).toThrow(reason)
})
