import { request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createDevChain } from '../../src/chainData/devChain.ts'
import { devForks } from '../../src/forks/devGenesis.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { signAuthorization } from '../../src/types/signTx.ts'
import { type DevNode, eventually, richAddress, richKey, signed, startDevNode } from '../support/devNode.ts'

const nodes: DevNode[] = []

async function start(options: Readonly<Record<string, string>> = {}): Promise<DevNode> {
  const node = await startDevNode(options)
  nodes.push(node)
  return node
}

afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
})

interface Receipt {
  readonly status: string
  readonly contractAddress: string
}

/** Deploys init code. */
async function deploy(node: DevNode, initCode: string): Promise<Receipt> {
  const data = fromHex(initCode)
  const fields = { chainId: 1337n, nonce: 0n, to: undefined, value: 0n, data, gasLimit: 1_000_000n }
  const { raw, hash } = signed({ type: 1, gasPrice: 10n ** 9n, accessList: [], ...fields })
  await node.call('eth_sendRawTransaction', [raw])
  return eventually(() => node.call<Receipt | null>('eth_getTransactionReceipt', [hash]))
}

/** PUSH0 is new in Shanghai, TLOAD in Cancun, CLZ in Osaka. */
const initCodes = { shanghai: '0x5f00', cancun: '0x60005c00', osaka: '0x60001e00' }

test.each(devForks.slice(devForks.indexOf('berlin')))('a chain with the rules of %s', async (fork) => {
  const node = await start({ 'dev-fork': fork })
  for (const [since, code] of Object.entries(initCodes)) {
    const isActive = devForks.indexOf(fork) >= devForks.indexOf(since as keyof typeof initCodes)
    const request = { from: `0x${richAddress}`, data: code, gas: '0xf4240' }
    expect([since, 'result' in (await node.send('eth_call', [request, 'latest']))]).toEqual([since, isActive])
  }
  expect(await deploy(node, '0x00')).toMatchObject({ status: '0x1' })
})

test('without options it has the rules of today: blobs, set code transactions and the contracts of the system', async () => {
  const node = await start()
  expect(await deploy(node, initCodes.cancun)).toMatchObject({ status: '0x1' })
  const delegate = hexToAddress('00000000000000000000000000000000000000c0')
  const authorizations = [signAuthorization({ chainId: 1337n, address: delegate, nonce: 2n }, richKey)]
  const fees = { maxFee: 10n ** 9n, maxPriorityFee: 10n ** 9n, accessList: [] }
  const fields = { chainId: 1337n, nonce: 1n, to: delegate, value: 0n, data: new Uint8Array(0), gasLimit: 100_000n }
  const { raw, hash } = signed({ type: 4, ...fields, ...fees, authorizations })
  await node.call('eth_sendRawTransaction', [raw])
  expect(await eventually(() => node.call('eth_getTransactionReceipt', [hash]))).toMatchObject({ status: '0x1' })
  expect(await node.call('eth_getCode', [`0x${richAddress}`, 'latest'])).toBe(`0xef0100${toHex(delegate).slice(2)}`)
  // The history contract knows the hash of block 1 (EIP-2935).
  const history = { to: '0x0000f90827f1c53a10cb7a02335b175320002935', data: `0x${'1'.padStart(64, '0')}` }
  const { hash: first } = await node.call<{ hash: string }>('eth_getBlockByNumber', ['0x1', false])
  expect(await node.call('eth_call', [history, 'latest'])).toBe(first)
})

test('with london it is the development network of Besu', async () => {
  const node = await start({ 'dev-fork': 'london' })
  const { hash } = await node.call<{ hash: string }>('eth_getBlockByNumber', ['0x0', false])
  expect(hash).toBe('0x2f2a939c2cdd8918be11a55a1e7db412861ed477ed927d8f122b55ccd0f8bbcb')
})

test('accounts of a mnemonic have a balance', async () => {
  const node = await start({ 'dev-accounts': '2', 'dev-mnemonic': 'one two three', 'dev-balance': '7' })
  const { accounts } = createDevChain({ accounts: 3, mnemonic: 'one two three' })
  const balances = accounts
    .slice(3)
    .map(({ address }) => node.call<string>('eth_getBalance', [`0x${address}`, 'latest']))
  expect((await Promise.all(balances)).map(BigInt)).toEqual([7n * 10n ** 18n, 7n * 10n ** 18n, 0n])
})

function statusOf(url: string, origin: string): Promise<number | undefined> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const post = request({ port, method: 'POST', headers: { origin } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    post.on('error', reject)
    post.end('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')
  })
}

function connects(url: string, origin: string): Promise<boolean> {
  const socket = new WebSocket(url, { origin })
  return new Promise((resolve) => {
    socket.on('open', () => resolve(true)).on('error', () => resolve(false))
  }).finally(() => socket.terminate()) as Promise<boolean>
}

test('pages of this machine and wallets are let in, others are not', async () => {
  const node = await start()
  const friends = ['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:8080', 'chrome-extension://nkbih']
  const strangers = ['https://evil.example', 'http://localhost.evil.example', 'null', 'http://evil.example?localhost']
  for (const origin of [...friends, ...strangers]) {
    const isFriend = friends.includes(origin)
    expect([origin, await statusOf(node.url, origin)]).toEqual([origin, isFriend ? 200 : 403])
    expect([origin, await connects(node.wsUrl, origin)]).toEqual([origin, isFriend])
  }
})

test('origins that are given replace those', async () => {
  const node = await start({ 'rpc-http-cors-origins': 'https://my.example' })
  expect(await statusOf(node.url, 'https://my.example')).toBe(200)
  expect(await statusOf(node.url, 'http://localhost:3000')).toBe(403)
})
