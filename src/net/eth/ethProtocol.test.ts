import { afterEach, describe, expect, test } from 'vitest'
import { type ChainNode, openChainNode } from '../../../test/support/ethNode.ts'
import { createManualClock, type ManualClock } from '../../../test/support/manualClock.ts'
import { devTx, makeBlock } from '../../../test/support/testChain.ts'
import { identify } from '../../chain/identify.ts'
import { type Address, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { hexToAddress } from '../../primitives/hex.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpList, scalar } from '../../primitives/rlp.ts'
import { encodeBody } from '../../types/block.ts'
import { txHash } from '../../types/encodeTx.ts'
import { headerToRlp } from '../../types/header.ts'
import type { DisconnectReason, ProtocolSession } from '../protocol.ts'
import { createEthPeers, type EthPeers } from './ethPeers.ts'
import { createEthProtocols } from './ethProtocol.ts'
import { type EthMessage, ethCodes } from './messages.ts'
import { createRefusedPeers } from './refusedPeers.ts'
import { decodeStatus, encodeStatus, type Status } from './status.ts'

const alice = hexToAddress('00000000000000000000000000000000000000aa')
const open: ChainNode[] = []

afterEach(async () => {
  for (const node of open.splice(0)) await node.close()
})

/** A node and one connection, whose other end is the test. */
interface Bench {
  readonly node: ChainNode
  readonly clock: ManualClock
  readonly peers: EthPeers
  readonly sent: { readonly code: number; readonly payload: Uint8Array }[]
  readonly ended: DisconnectReason[]
  readonly gossip: EthMessage[]
  readonly session: ProtocolSession
  setBacklog(bytes: number): void
  receive(message: EthMessage, item: RlpItem): void
  /** The last answer without its request number. */
  answer(): readonly RlpItem[]
}

function start(version = 68, prepare: (node: ChainNode) => void = () => {}): Bench {
  const node = openChainNode()
  open.push(node)
  prepare(node)
  const clock = createManualClock(1_000_000)
  const peers = createEthPeers()
  const sent: Bench['sent'] = []
  const ended: DisconnectReason[] = []
  const gossip: EthMessage[] = []
  let backlog = 0
  const note = (message: EthMessage) => () => void gossip.push(message)
  const protocols = createEthProtocols({
    ...node,
    identify: (header) => identify(node.consensus, header),
    peers,
    refused: createRefusedPeers(clock),
    gossip: {
      newBlock: note('newBlock'),
      newBlockHashes: note('newBlockHashes'),
      transactions: note('transactions'),
      newPooledTransactionHashes: note('newPooledTransactionHashes'),
    },
    clock,
  })
  const session = protocols
    .find((protocol) => protocol.version === version)!
    .open({
      peer: {
        id: new Uint8Array(64),
        address: new Uint8Array(20) as Address,
        clientId: 'test',
        inbound: true,
        isStatic: false,
        capabilities: [],
        remote: { ip: '127.0.0.1', port: 1 },
        local: { ip: '127.0.0.1', port: 2 },
        listenPort: 0,
      },
      send: (code, payload) => sent.push({ code, payload }) > 0,
      disconnect: (reason) => void ended.push(reason),
      backlog: () => backlog,
    })
  return {
    node,
    clock,
    peers,
    sent,
    ended,
    gossip,
    session,
    setBacklog: (bytes) => {
      backlog = bytes
    },
    receive: (message, item) => session.onMessage(ethCodes[message], encodeRlp(item)),
    answer: () => rlpList(rlpList(decodeRlp(sent.at(-1)!.payload))[1]),
  }
}

function greet({ session, sent }: Bench, change: Partial<Status> = {}): void {
  const own = decodeStatus(sent[0]!.payload)
  session.onMessage(ethCodes.status, encodeStatus({ ...own, ...change }))
}

describe('status', () => {
  test('tells of the head, and one of the same chain makes a peer', () => {
    const bench = start(67, ({ chain }) => void makeBlock(chain))
    expect(decodeStatus(bench.sent[0]!.payload)).toMatchObject({
      version: 67,
      networkId: 1337n,
      bestHash: bench.node.head().hash,
      genesisHash: bench.node.chain.genesis.hash,
    })
    expect(bench.peers.all()).toEqual([])
    greet(bench)
    expect(bench.peers.all()).toHaveLength(1)
    bench.session.onClose()
    expect(bench.peers.all()).toEqual([])
  })

  test.each([
    ['another network', { networkId: 1n }],
    ['another genesis block', { genesisHash: new Uint8Array(32) as Hash32 }],
    ['another version', { version: 66 }],
  ])('of %s ends the connection', (_, change) => {
    const bench = start()
    greet(bench, change)
    expect(bench.ended).toEqual(['subprotocol'])
    expect(bench.peers.all()).toEqual([])
  })

  test('that cannot be read ends the connection', () => {
    const bench = start()
    bench.receive('status', [])
    expect(bench.ended).toEqual(['subprotocol'])
  })

  test('has to come first, once, and in time', () => {
    const bench = start()
    expect(() => bench.receive('getBlockHeaders', [])).toThrow('before Status')
    bench.clock.run(19_000)
    expect(bench.ended).toEqual([])
    bench.clock.run(2_000)
    expect(bench.ended).toEqual(['timeout'])
    const other = start()
    greet(other)
    expect(() => greet(other)).toThrow('second Status')
    other.clock.run(60_000)
    expect(other.ended).toEqual([])
  })
})

describe('serving', () => {
  const grown = ({ chain }: ChainNode) => {
    for (let i = 0; i < 12; i++) makeBlock(chain, i === 4 ? [devTx(0n, { to: alice, value: 1n })] : [])
  }
  const numbers = (items: readonly RlpItem[]) => items.map((item) => Number(`0x${hexOf(rlpList(item)[8]!)}`))
  const hexOf = (item: RlpItem) => Buffer.from(item as Uint8Array).toString('hex') || '0'

  test('headers by number and hash, upwards and downwards, with gaps', () => {
    const bench = start(68, grown)
    greet(bench)
    const view = bench.node.chain.openView()
    const ask = (start_: bigint | Hash32, count: number, skip: number, reverse: number) => {
      const from = typeof start_ === 'bigint' ? scalar(start_) : start_
      bench.receive('getBlockHeaders', [scalar(7), [from, scalar(count), scalar(skip), scalar(reverse)]])
      return numbers(bench.answer())
    }
    expect(ask(3n, 4, 0, 0)).toEqual([3, 4, 5, 6])
    expect(ask(3n, 9, 0, 1)).toEqual([3, 2, 1, 0])
    expect(ask(1n, 4, 3, 0)).toEqual([1, 5, 9])
    expect(ask(view.hashAt(11n)!, 3, 4, 1)).toEqual([11, 6, 1])
    expect(ask(0n, 1, 0, 0)).toEqual([0])
    expect(ask(13n, 4, 0, 0)).toEqual([])
    expect(ask(new Uint8Array(32).fill(9) as Hash32, 1, 0, 0)).toEqual([])
    expect(ask(2n, 0, 0, 0)).toEqual([])
    expect(ask(2n, 2 ** 31 - 1, 2 ** 31 - 1, 0)).toEqual([2])
    expect(bench.answer()).toEqual([headerToRlp(view.headerAt(2n)!.header)])
    view.close()
  })

  test('bodies, receipts and pooled transactions; what is unknown is left out', () => {
    const bench = start(66, grown)
    greet(bench)
    const view = bench.node.chain.openView()
    const [empty, full] = [view.blockAt(4n)!, view.blockAt(5n)!]
    const hashes = [empty.hash, new Uint8Array(32), full.hash]
    bench.receive('getBlockBodies', [scalar(1), hashes])
    expect(bench.answer()).toEqual([empty, full].map(({ block }) => decodeRlp(encodeBody(block))))
    bench.receive('getReceipts', [scalar(2), hashes])
    expect(bench.answer().map((receipts) => rlpList(receipts).length)).toEqual([0, 1])
    const tx = devTx(1n, { to: alice })
    bench.node.pool.add(tx, { local: true, now: 0 })
    bench.receive('getPooledTransactions', [scalar(3), [txHash(tx), new Uint8Array(32)]])
    expect(bench.answer()).toHaveLength(1)
    bench.receive('getNodeData', [scalar(4), [empty.hash]])
    expect(bench.answer()).toEqual([])
    view.close()
  })

  test('waits while the peer does not read, and goes on in order', () => {
    const bench = start(68, grown)
    greet(bench)
    bench.setBacklog(5 << 20)
    const ask = (id: number) =>
      bench.receive('getBlockHeaders', [scalar(id), [scalar(1), scalar(1), scalar(0), scalar(0)]])
    for (let id = 1; id <= 64; id++) ask(id)
    bench.clock.run(100)
    expect(bench.sent).toHaveLength(1)
    expect(() => ask(65)).toThrow('too many requests')
    bench.setBacklog(0)
    bench.clock.run(100)
    const ids = bench.sent.slice(1).map(({ payload }) => Number(`0x${hexOf(rlpList(decodeRlp(payload))[0]!)}`))
    expect(ids).toEqual(Array.from({ length: 64 }, (_, i) => i + 1))
  })

  test('slows down for a peer that wants all of our time', () => {
    const bench = start(68, grown)
    greet(bench)
    const hashes = Array.from({ length: 1024 }, () => new Uint8Array(32))
    for (let id = 0; id < 60; id++) bench.receive('getBlockBodies', [scalar(id), hashes])
    const atOnce = bench.sent.length
    expect(atOnce).toBeLessThan(55)
    bench.clock.run(1000)
    expect(bench.sent).toHaveLength(61)
  })
})

describe('asking', () => {
  function ready(prepare?: (node: ChainNode) => void) {
    const bench = start(68, prepare)
    greet(bench)
    return { ...bench, peer: bench.peers.all()[0]! }
  }
  const one = { start: 0n, count: 1, skip: 0, reverse: false }

  test('gives the answer that has the number of the request', async () => {
    const { peer, receive, node } = ready()
    const { header, hash } = node.chain.genesis
    const answer = peer.headers(one)
    receive('blockHeaders', [scalar(1), [headerToRlp(header)]])
    const [found] = await answer
    expect(equalBytes(found!.hash, hash)).toBe(true)
  })

  test('answers that nobody asked for break the protocol', () => {
    const { receive } = ready()
    expect(() => receive('blockHeaders', [scalar(1), []])).toThrow('unsolicited')
    expect(() => receive('receipts', [scalar(1), []])).toThrow('unsolicited')
  })

  test('headers other than those asked for break the protocol', async () => {
    const { peer, receive, node } = ready()
    const header = headerToRlp(node.chain.genesis.header)
    const answer = peer.headers({ ...one, start: 5n })
    expect(() => receive('blockHeaders', [scalar(1), [header]])).toThrow('out of order')
    await expect(answer).rejects.toThrow('out of order')
    const second = peer.headers(one)
    expect(() => receive('blockHeaders', [scalar(2), [header, header]])).toThrow('list of more than 1 items')
    await expect(second).rejects.toThrow('list of more than 1 items')
  })

  test('times out; a late answer is let pass, three timeouts end the connection', async () => {
    const { peer, receive, clock, ended } = ready()
    for (let i = 1; i <= 3; i++) {
      const answer = peer.headers(one)
      const failure = expect(answer).rejects.toThrow('request timed out')
      clock.run(5001)
      await failure
      expect(ended).toEqual(i < 3 ? [] : ['timeout'])
    }
    receive('blockHeaders', [scalar(1), []])
    expect(peer.load()).toBe(0)
  })

  test('five useless answers within a minute end the connection', () => {
    const { peer, clock, ended } = ready()
    for (let i = 0; i < 4; i++) peer.useless()
    clock.run(60_000)
    peer.useless()
    expect(ended).toEqual([])
    for (let i = 0; i < 4; i++) peer.useless()
    expect(ended).toEqual(['uselessPeer'])
  })

  test('ends with the connection', async () => {
    const { peer, session } = ready()
    const answer = peer.bodies([new Uint8Array(32) as Hash32])
    session.onClose()
    await expect(answer).rejects.toThrow('peer disconnected')
  })
})

test('codes outside the version break the protocol', () => {
  const bench = start(68)
  greet(bench)
  expect(() => bench.receive('getNodeData', [scalar(1), []])).toThrow('code 13 is not defined in eth/68')
  expect(() => bench.session.onMessage(0x0b, new Uint8Array(0))).toThrow('code 11')
  bench.receive('newBlockHashes', [])
  expect(bench.gossip).toEqual(['newBlockHashes'])
})
