import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import type { Address } from '../../src/primitives/bytes.ts'
import { type DevNode, signed, startDevNode } from '../support/devNode.ts'

const moduleFile = (name: string) => fileURLToPath(new URL(`modules/${name}.mjs`, import.meta.url))

const nodes: DevNode[] = []
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
})

async function start(name: string): Promise<DevNode> {
  const node = await startDevNode({ plugin: moduleFile(name), 'rpc-http-api': 'ETH,EVM' })
  nodes.push(node)
  return node
}

/** Sends so many wei in a transaction with the next nonce. */
function sender(node: DevNode) {
  let nonce = 0n
  return async (value: bigint) => {
    const fees = { gasPrice: 10n ** 9n, gasLimit: 21_000n }
    const to = new Uint8Array(20).fill(1) as Address
    const { raw } = signed({ type: 0, nonce, to, value, data: new Uint8Array(0), chainId: 1337n, ...fees })
    const reply = await node.send('eth_sendRawTransaction', [raw])
    if (reply.result !== undefined) nonce++
    return reply
  }
}

test('a plugin says what may enter; one that throws or returns rubbish lets nothing in', async () => {
  const node = await start('judge')
  const send = sender(node)
  const failed = { code: -32000, message: expect.stringMatching(/the plugin of this node has failed/) }
  expect((await send(1n)).error).toEqual({
    code: -32007,
    message: 'Transaction refused by the plugin: one wei is too little',
  })
  expect((await send(2n)).error).toMatchObject({ code: -32007 })
  for (const value of [3n, 4n, 5n]) expect((await send(value)).error).toEqual(failed)
  for (const value of [6n, 7n]) expect((await send(value)).result).toMatch(/^0x/)
})

test('a plugin that hangs or ends delays no block, and is started again', async () => {
  const node = await start('hang')
  const send = sender(node)
  for (const value of [1n, 2n, 3n]) {
    const asked = send(value)
    const before = Number(await node.call<string>('eth_blockNumber'))
    await node.call('evm_mine')
    expect(Number(await node.call<string>('eth_blockNumber'))).toBeGreaterThan(before)
    expect((await asked).error).toMatchObject({ code: -32000 })
    // Until it runs again nothing enters.
    await expect.poll(async () => (await send(9n)).result, { timeout: 20_000, interval: 100 }).toMatch(/^0x/)
  }
}, 60_000)

test('an error that nobody catches ends it, and it is started again', async () => {
  const node = await start('hang')
  const send = sender(node)
  await send(4n)
  await expect.poll(async () => (await send(9n)).result, { timeout: 20_000, interval: 100 }).toMatch(/^0x/)
}, 60_000)

test.each([
  ['broken', /SyntaxError/],
  ['other', /exports mayEntre; a plugin exports some of mayEnter, mayConnect, onBlock/],
  ['nothing', /exports none of its functions/],
  ['absent', /Cannot find module/],
])('a node does not start with %s', async (name, words) => {
  await expect(start(name)).rejects.toThrow(words)
})
