import { describe, expect, test } from 'vitest'
import { devSpec } from '../../../../test/support/testChain.ts'
import type { ChainView } from '../../../chain/view.ts'
import { type Enode, formatEnode } from '../../../net/enode.ts'
import type { Hash32 } from '../../../primitives/bytes.ts'
import { toHex } from '../../../primitives/hex.ts'
import { curve } from '../../../primitives/secp256k1.ts'
import type { PeersPort, RpcPorts } from '../../protocol/context.ts'
import { createDispatcher } from '../../protocol/dispatch.ts'
import { httpTransport } from '../../protocol/dispatcher.ts'
import { methods } from '../all.ts'

const id = curve.publicKey(new Uint8Array(32).fill(1))
const otherId = curve.publicKey(new Uint8Array(32).fill(2))
const own: Enode = { id, ip: '127.0.0.1', tcpPort: 30303, udpPort: 30303 }
const other: Enode = { ...own, id: otherId, tcpPort: 30304, udpPort: 30304 }
const head = new Uint8Array(32).fill(3) as Hash32

function createPort(): PeersPort {
  const added = new Set<string>()
  return {
    isListening: () => true,
    count: () => 1,
    enode: () => formatEnode(own),
    permits: ({ tcpPort }) => tcpPort !== 9,
    add(enode) {
      const url = formatEnode(enode)
      if (url === formatEnode(own)) return undefined
      const isNew = !added.has(url)
      added.add(url)
      return isNew
    },
    remove: (enode) => added.delete(formatEnode(enode)),
    list: () => [
      {
        version: 5,
        clientId: 'besu/v23.10.2',
        capabilities: ['eth/67', 'eth/68'],
        localAddress: '127.0.0.1:30303',
        remoteAddress: '127.0.0.1:50000',
        inbound: true,
        port: 30304,
        id: otherId,
        eth: { version: 68, totalDifficulty: 300n, head },
        enode: formatEnode(other),
      },
    ],
    nodeInfo: () => ({
      enode: 'enode://…@[::]:30303?discport=0',
      listenAddress: '[::]:30303',
      ip: '127.0.0.1',
      id,
      discoveryPort: undefined,
      listenerPort: 30303,
    }),
  }
}

const chain = {
  spec: devSpec,
  head: { hash: head, header: {} },
  rulesOf: () => devSpec.rulesAt({ number: 1n, timestamp: 1n }),
  hashAt: () => head,
  totalDifficulty: () => 12345678901234567890n,
} as unknown as ChainView

const dispatcher = createDispatcher({
  methods,
  knownNames: new Set(),
  namespaces: ['ADMIN'],
  faults: () => undefined,
  onInternalError: (error) => {
    throw error
  },
  transport: httpTransport(3),
})

async function ask(peers: PeersPort | undefined, method: string, params: readonly unknown[] = []) {
  const context: RpcPorts = { peers, chain: () => chain, client: { version: 'quoin/v1', networkId: 1337n } }
  const { status, body } = await dispatcher.dispatch(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), context)
  const { result, error } = JSON.parse(typeof body === 'string' ? body : [...body].join(''))
  return error ? [status, error.code, error.message] : result
}

describe('static peers', () => {
  test('are added once and removed once', async () => {
    const port = createPort()
    expect(await ask(port, 'admin_addPeer', [formatEnode(other)])).toBe(true)
    expect(await ask(port, 'admin_addPeer', [formatEnode(other)])).toBe(false)
    expect(await ask(port, 'admin_removePeer', [formatEnode(other)])).toBe(true)
    expect(await ask(port, 'admin_removePeer', [formatEnode(other)])).toBe(false)
  })

  const digits = toHex(otherId).slice(2)
  test.each([
    ['no URL', 'hello', 400, -32700, 'Parse error'],
    ['no port', `enode://${digits}@127.0.0.1`, 400, -32700, 'Parse error'],
    ['a wrong port', `enode://${digits}@127.0.0.1:99999`, 400, -32700, 'Parse error'],
    ['a number', 7, 400, -32700, 'Parse error'],
    ['a short id', `enode://${digits.slice(2)}@127.0.0.1:1`, 200, -32000, expect.stringContaining('Invalid node ID')],
    ['a host name', `enode://${digits}@node.example:1`, 200, -32100, 'Enode DNS support is disabled'],
    ['the node itself', formatEnode(own), 200, -32100, 'Cannot add local node as peer.'],
  ])('given by %s are refused', async (_, enode, status, code, message) => {
    expect(await ask(createPort(), 'admin_addPeer', [enode])).toEqual([status, code, message])
  })
})

test('peers are shown with their heads', async () => {
  expect(await ask(createPort(), 'admin_peers')).toEqual([
    {
      version: '0x5',
      name: 'besu/v23.10.2',
      caps: ['eth/67', 'eth/68'],
      network: { localAddress: '127.0.0.1:30303', remoteAddress: '127.0.0.1:50000', inbound: true },
      port: '0x7660',
      id: toHex(otherId),
      protocols: { eth: { difficulty: '0x12c', head: toHex(head), version: 68 } },
      enode: formatEnode(other),
    },
  ])
})

test('the node tells of itself', async () => {
  const info = await ask(createPort(), 'admin_nodeInfo')
  expect(Object.keys(info)).toEqual(['enode', 'listenAddr', 'ip', 'name', 'id', 'ports', 'protocols', 'activeFork'])
  expect(info).toMatchObject({
    activeFork: 'London',
    listenAddr: '[::]:30303',
    name: 'quoin/v1',
    id: toHex(id).slice(2),
    ports: { listener: 30303 },
    protocols: {
      eth: { config: { chainId: 1337, londonBlock: 0 }, genesis: toHex(head), head: toHex(head), network: 1337 },
    },
  })
  expect(info.ports).not.toHaveProperty('discovery')
})

test.each(['admin_addPeer', 'admin_removePeer', 'admin_peers', 'admin_nodeInfo'])(
  'without a network %s says so',
  async (method) => {
    const params = method.endsWith('Peer') ? [formatEnode(other)] : []
    expect(await ask(undefined, method, params)).toEqual([
      200,
      -32000,
      expect.stringContaining('P2P has been disabled'),
    ])
  },
)
