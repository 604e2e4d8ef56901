import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { decodeRawTx } from '../../src/query/decodeRawTx.ts'
import { senderOf } from '../../src/types/signTx.ts'
import { createCliHarness } from '../support/cliHarness.ts'
import { type DevNode, dialWs, eventually, type RpcReply, startDevNode } from '../support/devNode.ts'
import { freePort } from '../support/freePort.ts'
import { startTestSigner, type TestSigner } from '../support/testSigner.ts'

const [first, second] = devAccounts.map(({ address }) => `0x${address}`) as [string, string]
const friend = `0x${'fe'.repeat(20)}`
const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

let node: DevNode
let signer: TestSigner
beforeAll(async () => {
  node = await startDevNode()
  signer = await startTestSigner(node, { corsOrigins: ['http://localhost:3000'] })
})
afterAll(async () => {
  await signer.close()
  await node.stop()
})

let id = 0
async function send(method: string, params: readonly unknown[], to = signer): Promise<RpcReply> {
  return (await to.post(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }))).json() as Promise<RpcReply>
}

interface MinedTx {
  readonly nonce: string
  readonly blockHash: string | null
}

/** The nonces of transactions that are in blocks. */
function minedNonces(hashes: readonly unknown[], of = node): Promise<number[]> {
  const mined = (hash: unknown) =>
    eventually(async () => {
      const tx = await of.call<MinedTx | null>('eth_getTransactionByHash', [hash])
      return tx?.blockHash ? Number(tx.nonce) : null
    })
  return Promise.all(hashes.map(mined))
}

const nonceOf = async (account: string, of = node) =>
  Number(await of.call<string>('eth_getTransactionCount', [account, 'latest']))

describe('nonces', () => {
  test('of 50 concurrent sends are consecutive', async () => {
    const before = await nonceOf(first)
    const replies = await Promise.all(
      range(0, 50).map(() => send('eth_sendTransaction', [{ from: first, to: friend, value: '0x1' }])),
    )
    const nonces = await minedNonces(replies.map(({ result }) => result))
    expect(nonces.sort((a, b) => a - b)).toEqual(range(before, 50))
  })

  test('have no gaps where the node refuses some', async () => {
    const before = await nonceOf(second)
    const replies = await Promise.all(
      range(0, 30).map((i) => {
        const refused = i % 3 === 0 ? { gas: '0x1' } : {}
        return send('eth_sendTransaction', [{ from: second, to: friend, value: '0x1', ...refused }])
      }),
    )
    const sent = replies.filter(({ result }) => result !== undefined)
    expect(sent).toHaveLength(20)
    const nonces = await minedNonces(sent.map(({ result }) => result))
    expect(nonces.sort((a, b) => a - b)).toEqual(range(before, 20))
  })
})

describe('errors', () => {
  test('of the node are passed on', async () => {
    const call = { from: first, to: friend, gas: '0x1', gasPrice: '0x3b9aca00', nonce: '0x0' }
    const { result: raw } = await send('eth_signTransaction', [call])
    const own = await node.send('eth_sendRawTransaction', [raw])
    expect(own.error).toBeDefined()
    expect((await send('eth_sendTransaction', [call])).error).toEqual(own.error)
  })

  test('of an estimate are passed on', async () => {
    const call = { from: first, data: '0x60006000fd' }
    const { error } = await node.send('eth_estimateGas', [call])
    expect(error).toBeDefined()
    expect((await send('eth_sendTransaction', [call])).error).toEqual(error)
  })

  test.each([
    ['an unknown account', { from: friend, to: first }, -32000, `Available: ${first}`],
    ['no account', { to: first }, -32602, 'from is missing'],
    ['another chain', { from: first, to: friend, chainId: '0x1' }, -32000, 'the chain is 1337'],
    ['input and data that differ', { from: first, to: friend, input: '0x01', data: '0x02' }, -32602, 'differ'],
    ['a short address', { from: first, to: '0x01' }, -32602, 'to does not have 20 bytes'],
    ['a number without 0x', { from: first, to: friend, value: '10' }, -32602, 'value is not a quantity'],
    ['both kinds of fees', { from: first, to: friend, gasPrice: '0x1', maxFeePerGas: '0x1' }, -32602, 'gasPrice'],
  ])('name %s', async (_, call, code, text) => {
    const { error } = await send('eth_sendTransaction', [call])
    expect(error).toMatchObject({ code, message: expect.stringContaining(text) })
  })
})

test('transactions of impersonated accounts go to the node, if it may have them', async () => {
  const dev = await startDevNode({ 'rpc-http-api': 'ETH,HARDHAT' })
  const [passing, strict] = [await startTestSigner(dev, { passOthers: true }), await startTestSigner(dev)]
  await dev.call('hardhat_setBalance', [friend, '0xde0b6b3a7640000'])
  await dev.call('hardhat_impersonateAccount', [friend])
  const call = { from: friend, to: first, value: '0x1' }
  expect((await send('eth_sendTransaction', [call], strict)).error).toMatchObject({ code: -32000 })
  const { result } = await send('eth_sendTransaction', [call], passing)
  expect(await minedNonces([result], dev)).toEqual([0])
  await dev.call('hardhat_stopImpersonatingAccount', [friend])
  expect((await send('eth_sendTransaction', [call], passing)).error).toMatchObject({ code: -32604 })
  await Promise.all([passing.close(), strict.close()])
  await dev.stop()
})

test('eth_signTransaction signs what it is given', async () => {
  const fields = {
    to: friend,
    value: '0x5',
    nonce: '0x7',
    gas: '0x5208',
    maxFeePerGas: '0x9',
    maxPriorityFeePerGas: '0x1',
  }
  const { result } = await send('eth_signTransaction', [
    { from: first, ...fields, input: '0x', data: '0x', type: '0x2' },
  ])
  const { tx } = decodeRawTx(fromHex(result as string))!
  expect(toHex(senderOf(tx)!)).toBe(first)
  expect(tx).toMatchObject({
    type: 2,
    chainId: 1337n,
    value: 5n,
    nonce: 7n,
    gasLimit: 21000n,
    maxFee: 9n,
    maxPriorityFee: 1n,
  })
})

describe('everything else', () => {
  const texts = [
    '{"jsonrpc":"2.0","id":12345678901234567890,"method":"eth_chainId","params":[]}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_nothing"}',
    '{"jsonrpc":"2.0","method":"eth_accounts"}',
    '{"id":1,"method":"eth_accounts","params":{}}',
    '[{"jsonrpc":"2.0","id":1,"method":"net_version"},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]',
    '[]',
    '{"id":',
    '',
  ]
  test.each(texts)('is answered as by the node: %s', async (text) => {
    const [own, passed] = await Promise.all([fetch(node.url, { method: 'POST', body: text }), signer.post(text)])
    expect([passed.status, passed.headers.get('content-type'), await passed.text()]).toEqual([
      own.status,
      own.headers.get('content-type'),
      await own.text(),
    ])
  })

  test('in a batch is put together in order', async () => {
    const pending = { method: 'eth_getTransactionCount', params: [first, 'pending'] }
    const transfer = { method: 'eth_sendTransaction', params: [{ from: first, to: friend, value: '0x1' }] }
    const calls = [pending, transfer, transfer, pending, { method: 'eth_nothing' }]
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
    const replies = (await (await signer.post(body)).json()) as RpcReply[]
    expect(replies.map((reply) => reply.id)).toEqual([0, 1, 2, 3, 4])
    const [before, , , after] = replies.map(({ result }) => Number(result))
    expect(after).toBe(before! + 2)
    expect(replies[4]!.error).toMatchObject({ code: -32601 })
  })
})

describe('over WebSocket', () => {
  test('subscriptions hear of what was sent', async () => {
    const client = await dialWs(signer.wsUrl)
    const { result: subscription } = await client.send('eth_subscribe', ['newHeads'])
    const { result: hash } = await client.send('eth_sendTransaction', [{ from: first, to: friend, value: '0x1' }])
    await minedNonces([hash])
    const mined = await node.call<{ blockNumber: string }>('eth_getTransactionByHash', [hash])
    let head: { number: string }
    do head = (await client.next(subscription)) as { number: string }
    while (head.number !== mined.blockNumber)
    expect((await client.send('eth_accounts')).result).toContain(first)
    client.close()
  })

  test('a batch is answered in one piece', async () => {
    const socket = new WebSocket(signer.wsUrl)
    await new Promise((resolve) => socket.once('open', resolve))
    const heard = new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))))
    socket.send(
      '[{"id":1,"method":"eth_chainId"},{"id":2,"method":"eth_accounts"},{"id":"x","method":"eth_subscribe","params":["newHeads"]}]',
    )
    expect(await heard).toMatchObject([
      { id: 1, result: '0x539' },
      { id: 2, result: expect.arrayContaining([first]) },
      { id: 'x', result: expect.stringMatching(/^0x/) },
    ])
    socket.close()
  })
})

describe('strangers are refused', () => {
  const accounts = '{"jsonrpc":"2.0","id":1,"method":"eth_accounts"}'
  const dial = (headers: Record<string, string>) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(signer.wsUrl, { headers })
      socket.on('open', () => {
        socket.close()
        resolve('open')
      })
      socket.on('unexpected-response', (_, { statusCode }) => resolve(String(statusCode)))
      socket.on('error', () => {})
    })

  test('by their origin', async () => {
    expect((await signer.post(accounts, { Origin: 'https://evil.example' })).status).toBe(403)
    expect((await signer.post(accounts, { Origin: 'http://localhost:3000' })).status).toBe(200)
    expect(await dial({ Origin: 'https://evil.example' })).toBe('403')
    expect(await dial({ Origin: 'http://localhost:3000' })).toBe('open')
  })

  test('by the host that they name', async () => {
    expect(await dial({ Host: 'evil.example' })).toBe('403')
  })
})

test.each(['http://127.0.0.1:{port}/', '//127.0.0.1:{port}/'])('%s is not asked for others', async (path) => {
  let asked = false
  const other = createHttpServer((_, response) => {
    asked = true
    response.end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const status = await new Promise((resolve) =>
    get(
      { host: '127.0.0.1', port: new URL(signer.url).port, path: path.replace('{port}', String(port)) },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    ),
  )
  other.close()
  expect([asked, status]).toEqual([false, 404])
})

test('keys and signatures are not logged', () => {
  expect(signer.logged()).toContain('sent transaction')
  for (const { privateKey } of devAccounts) expect(signer.logged()).not.toContain(privateKey)
})

describe('a node', () => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  test('may be stopped and started again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quoin-signer-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const [http, ws] = [await freePort(), await freePort()]
    const options = { 'data-path': folder, 'rpc-http-port': String(http), 'rpc-ws-port': String(ws) }
    const before = await startDevNode(options)
    const own = await startTestSigner(before)
    closing.push(own.close)
    const transfer = () => send('eth_sendTransaction', [{ from: first, to: friend, value: '0x1' }], own)
    const sent = await Promise.all(range(0, 5).map(transfer))
    await minedNonces(
      sent.map(({ result }) => result),
      before,
    )
    const client = new WebSocket(own.wsUrl)
    await new Promise((resolve) => client.once('open', resolve))
    const closed = new Promise((resolve) => client.once('close', resolve))
    await before.stop()
    // Clients notice, and subscribe again when they are back.
    await closed
    const refused = await own.post('{"jsonrpc":"2.0","id":3,"method":"eth_blockNumber"}')
    expect([refused.status, await refused.json()]).toEqual([
      504,
      { jsonrpc: '2.0', id: 3, error: { code: -32000, message: 'Failed to connect to downstream node' } },
    ])
    expect((await Promise.all(range(0, 5).map(transfer))).map(({ error }) => error?.message)).toEqual(
      Array(5).fill('Failed to connect to downstream node'),
    )
    const after = await startDevNode(options)
    closing.push(after.stop)
    const again = await Promise.all(range(0, 5).map(transfer))
    const nonces = await minedNonces(
      again.map(({ result }) => result),
      after,
    )
    expect(nonces.sort((a, b) => a - b)).toEqual(range(5, 5))
  })

  test('that does not answer is not waited for forever', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    closing.push(() => silent.close())
    const own = await startTestSigner(
      { url: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}` },
      { timeout: 100 },
    )
    closing.push(own.close)
    const error = { code: -32000, message: 'Connection to downstream node timed out' }
    expect((await send('eth_blockNumber', [], own)).error).toEqual(error)
    const call = { from: first, to: friend }
    const replies = await Promise.all(range(0, 3).map(() => send('eth_sendTransaction', [call], own)))
    expect(replies.map((reply) => reply.error)).toEqual([error, error, error])
    const status = await new Promise((resolve) => {
      const socket = new WebSocket(own.wsUrl).on('error', () => {})
      socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode))
    })
    expect(status).toBe(504)
  })
})

describe('the command', () => {
  const cli = createCliHarness()
  afterAll(() => cli.remove())

  test('ends with one line if its port is taken', async () => {
    const port = new URL(signer.url).port
    const { code, stderr } = await cli.run(['signer', '--dev', `--port=${port}`])
    expect([code, stderr]).toEqual([
      1,
      `Cannot listen on 127.0.0.1:${port}: the port is in use. See --host and --port.\n`,
    ])
  })

  test.each([
    [['signer'], 2, /either '--dev' or '--keystore/],
    [['signer', '--dev', '--keystore=x'], 2, /either '--dev' or '--keystore/],
    [['signer', '--keystore=x', '--mnemonic=test junk'], 2, /'--mnemonic' and '--accounts' need '--dev'/],
    [['signer', '--keystore={dir}/none'], 1, /^\{dir\}\/none: .* cannot be read\n$/],
    [['signer', '--dev', '--node=ftp://x'], 2, /begins with http:\/\/ or https:\/\//],
    [
      ['signer', '--dev', '--node=http://me:secret@x'],
      2,
      /^((?!secret).)*must not contain a user or password((?!secret).)*\n$/,
    ],
  ])('%s is refused', async (args, code, line) => {
    const outcome = await cli.run(args)
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringMatching(line)])
  })
})
