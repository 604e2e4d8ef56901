import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type EthNode, startEthNode } from '../../test/support/ethNode.ts'
import { connectPair, type ProtocolPair } from '../../test/support/protocolPair.ts'
import { devTx, makeBlock } from '../../test/support/testChain.ts'
import { ethCodes } from '../net/eth/messages.ts'
import { encodeNewBlock } from '../net/eth/newBlock.ts'
import { decodeStatus, encodeStatus } from '../net/eth/status.ts'
import type { SubProtocol } from '../net/protocol.ts'
import { hexToAddress } from '../primitives/hex.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpList, scalar } from '../primitives/rlp.ts'
import type { Block } from '../types/block.ts'
import { txHash } from '../types/encodeTx.ts'
import { headerFromRlp } from '../types/header.ts'

const nodes: EthNode[] = []
const pairs: ProtocolPair[] = []
const alice = hexToAddress('00000000000000000000000000000000000000aa')
/** A chain of more than one segment, and a heavier one that leaves it after block 30. */
let trunk: Block[] = []
let branch: Block[] = []
const forkAt = 30

function start({ path, blocks = [] }: { path?: string; blocks?: readonly Block[] } = {}): EthNode {
  const node = startEthNode(path)
  nodes.push(node)
  node.chain.importBlocks(blocks)
  return node
}

function connect(a: EthNode | SubProtocol, b: EthNode, version = 68): ProtocolPair {
  const pair = connectPair('open' in a ? a : a.protocol(version), b.protocol(version))
  pairs.push(pair)
  return pair
}

/** A node's protocol with some of its messages changed or, by undefined, held back. */
function tampered(node: EthNode, change: (code: number, payload: Uint8Array) => Uint8Array | undefined): SubProtocol {
  const protocol = node.protocol(68)
  return {
    ...protocol,
    open: (link) =>
      protocol.open({
        ...link,
        send(code, payload) {
          const changed = change(code, payload)
          return changed ? link.send(code, changed) : true
        },
      }),
  }
}

const claiming = (payload: Uint8Array, totalDifficulty: bigint) =>
  encodeStatus({ ...decodeStatus(payload), totalDifficulty })
const wait = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 10 })
const sameHead = (a: EthNode, b: EthNode) => wait(() => expect(a.head().hash).toEqual(b.head().hash))

beforeAll(async () => {
  const maker = startEthNode()
  const other = startEthNode()
  for (let i = 0; i < 200; i++)
    trunk.push(makeBlock(maker.chain, i % 2 ? [] : [devTx(BigInt(i / 2), { to: alice, value: 1n })]))
  other.chain.importBlocks(trunk.slice(0, forkAt))
  for (let i = 0; i < 20; i++) branch.push(makeBlock(other.chain, [], { extraData: Uint8Array.of(i) }))
  await maker.close()
  await other.close()
})

afterEach(async () => {
  for (const pair of pairs.splice(0)) pair.close()
  for (const node of nodes.splice(0)) await node.close()
})

afterAll(() => {
  trunk = []
  branch = []
})

describe('full sync', () => {
  test('fetches the chain from several peers of several versions', async () => {
    const [a, b, c] = [start({ blocks: trunk }), start(), start()]
    const stands: unknown[] = []
    b.eth.sync.onStatus((stand) => stands.push(stand))
    connect(a, b, 66)
    await sameHead(a, b)
    await wait(() => expect(stands).toHaveLength(2))
    expect(stands).toEqual([{ startingBlock: 0n, currentBlock: 0n, highestBlock: 200n }, undefined])
    connect(a, c, 67)
    connect(b, c, 68)
    await sameHead(a, c)
    expect(c.eth.sync.status()).toBeUndefined()
    expect(c.eth.sync.isInSync()).toBe(true)
  })

  test('goes on after a restart where it was', async () => {
    const [a, b] = [start({ blocks: trunk }), start({ blocks: trunk.slice(0, 100) })]
    nodes.pop()
    await b.close(true)
    const again = start({ path: b.path })
    const asked: number[] = []
    connect(
      tampered(a, (code, payload) => {
        if (code === ethCodes.blockBodies) asked.push(rlpList(rlpList(decodeRlp(payload))[1]).length)
        return payload
      }),
      again,
    )
    await sameHead(a, again)
    // Every other block of the remaining 100 is empty: its body is not asked for.
    expect(asked.reduce((sum, count) => sum + count, 0)).toBe(50)
  })

  test('takes answers that are cut short', async () => {
    const [a, b] = [start({ blocks: trunk.slice(0, 12) }), start()]
    let answers = 0
    connect(
      tampered(a, (code, payload) => {
        if (code !== ethCodes.blockBodies) return payload
        const [id, bodies] = rlpList(decodeRlp(payload))
        answers++
        return encodeRlp([id!, rlpList(bodies).slice(0, 2)])
      }),
      b,
    )
    await sameHead(a, b)
    expect(answers).toBe(3)
  })

  test('changes to the heavier branch of a peer', async () => {
    const a = start({ blocks: [...trunk.slice(0, forkAt), ...branch] })
    const b = start({ blocks: trunk.slice(0, forkAt + 15) })
    const removed: number[] = []
    b.chain.onHead((event) => removed.push(...event.removed.map(({ header }) => Number(header.number))))
    connect(a, b)
    await sameHead(a, b)
    expect(removed).toEqual(Array.from({ length: 15 }, (_, i) => forkAt + 1 + i))
    expect(b.pool.statistics().pendingCount).toBeGreaterThan(0)
  })

  test('stays on its own branch when that is heavier', async () => {
    const a = start({ blocks: trunk.slice(0, forkAt + 15) })
    const b = start({ blocks: [...trunk.slice(0, forkAt), ...branch] })
    const before = b.head().hash
    connect(a, b)
    await sameHead(b, a)
    expect(b.head().hash).toEqual(before)
  })
})

test('a node that cannot get past a block says so, and is not in sync until it has passed it', async () => {
  const [holder, node] = [start({ blocks: trunk.slice(0, 20) }), start()]
  const pair = connect(
    tampered(holder, (code, payload) => {
      if (code !== ethCodes.blockBodies) return payload
      return encodeRlp([rlpList(decodeRlp(payload))[0]!, []])
    }),
    node,
  )
  await wait(() => expect(pair.ended()).toEqual({ by: 1, reason: 'uselessPeer' }))
  await wait(() =>
    expect(node.eth.sync.status()).toMatchObject({
      currentBlock: 0n,
      highestBlock: 20n,
      stuck: expect.stringContaining('no peer sends the blocks from'),
    }),
  )
  expect(node.eth.sync.isInSync()).toBe(false)
  connect(start({ blocks: trunk.slice(0, 20) }), node)
  await sameHead(holder, node)
  expect(node.eth.sync.status()).toBeUndefined()
})

test('a node that has deleted the states that a heavier branch needs says what to do, and blames nobody', async () => {
  const heavier = start({ blocks: [...trunk.slice(0, forkAt), ...branch] })
  const node = start({ blocks: trunk.slice(0, forkAt + 15) })
  const before = node.head().hash
  node.chain.prune(forkAt + 10)
  const pair = connect(heavier, node)
  await wait(() =>
    expect(node.eth.sync.status()).toMatchObject({
      currentBlock: BigInt(forkAt + 15),
      highestBlock: BigInt(forkAt + branch.length),
      stuck: expect.stringContaining('Start with an empty --data-path and keep more'),
    }),
  )
  expect(pair.ended()).toBeUndefined()
  expect(node.head().hash).toEqual(before)
})

describe('a peer that lies', () => {
  async function syncsBesides(liar: (honest: EthNode) => SubProtocol, reason: string, tip = trunk.length) {
    const honest = start({ blocks: trunk.slice(0, tip) })
    const node = start()
    const pair = connect(liar(start({ blocks: trunk.slice(0, tip) })), node)
    await wait(() => expect(pair.ended()).toEqual({ by: 1, reason }))
    connect(honest, node)
    await sameHead(honest, node)
  }

  test('about the weight of its chain is let go', () =>
    syncsBesides(
      (node) => tampered(node, (code, payload) => (code === ethCodes.status ? claiming(payload, 10n ** 9n) : payload)),
      'uselessPeer',
      20,
    ))

  test('about its best block is let go', () =>
    syncsBesides(
      (node) =>
        tampered(node, (code, payload) =>
          code === ethCodes.blockHeaders ? encodeRlp([rlpList(decodeRlp(payload))[0]!, []]) : payload,
        ),
      'uselessPeer',
      20,
    ))

  test('about bodies is let go', () =>
    syncsBesides(
      (node) =>
        tampered(node, (code, payload) => {
          if (code !== ethCodes.blockBodies) return payload
          const [id, bodies] = rlpList(decodeRlp(payload))
          return encodeRlp([id!, rlpList(bodies).map((): RlpItem => [[], []])])
        }),
      'breachOfProtocol',
      20,
    ))

  test('by bodies that are none is let go', () =>
    syncsBesides(
      (node) =>
        tampered(node, (code, payload) => {
          if (code !== ethCodes.blockBodies) return payload
          return encodeRlp([rlpList(decodeRlp(payload))[0]!, [Uint8Array.of(1)]])
        }),
      'breachOfProtocol',
      20,
    ))

  test('about headers is let go', () =>
    syncsBesides(
      (node) =>
        tampered(node, (code, payload) => {
          if (code !== ethCodes.blockHeaders) return payload
          const [id, headers] = rlpList(decodeRlp(payload))
          if (rlpList(headers).length < 10) return payload
          const wrong = rlpList(headers).map((header, i) =>
            i === 5 ? rlpList(header).map((field, at) => (at === 9 ? scalar(123456n) : field)) : header,
          )
          return encodeRlp([id!, wrong])
        }),
      'breachOfProtocol',
      20,
    ))

  test('by an invalid block is let go, and the block is remembered', async () => {
    const node = start({ blocks: trunk.slice(0, 5) })
    let shown = 0
    const liar = tampered(start({ blocks: trunk.slice(0, 6) }), (code, payload) => {
      if (code !== ethCodes.blockHeaders) return payload
      const [id, headers] = rlpList(decodeRlp(payload))
      const last = rlpList(headers).at(-1)
      if (!last || headerFromRlp(last).number !== 6n || shown++ === 0) return payload
      return encodeRlp([id!, [rlpList(last).map((field, at) => (at === 3 ? trunk[5]!.header.parentHash : field))]])
    })
    const pair = connect(liar, node)
    await wait(() => expect(pair.ended()).toEqual({ by: 1, reason: 'breachOfProtocol' }))
    expect(node.chain.badBlocks.all().map(({ reason }) => reason)).toEqual([expect.stringContaining('STATE_ROOT')])
    expect(node.head().header.number).toBe(5n)
  })
})

describe('blocks', () => {
  test('travel through a node that does not make them', async () => {
    const base = trunk.slice(0, 10)
    const [a, b, c] = [start({ blocks: base }), start({ blocks: base }), start({ blocks: base })]
    connect(a, b)
    connect(b, c)
    await wait(() => expect([a, b, c].map(({ eth }) => eth.peers.all().length)).toEqual([1, 2, 1]))
    const block = trunk[10]!
    a.chain.importBlock(block)
    a.eth.blocks.broadcast({ ...a.head(), block })
    await sameHead(a, c)
    await sameHead(a, b)
  })

  test('are told by their hash to those who probably have them, and who ask if they do not', async () => {
    const sent: number[] = []
    const base = trunk.slice(0, 10)
    const [a, b, c] = [start({ blocks: base }), start({ blocks: base }), start({ blocks: base })]
    const noted = tampered(a, (code, payload) => {
      sent.push(code)
      return payload
    })
    connect(noted, b)
    connect(noted, c)
    await wait(() => expect(a.eth.peers.all()).toHaveLength(2))
    const block = trunk[10]!
    for (const { chain } of [a, c]) chain.importBlock(block)
    a.eth.blocks.broadcast(
      { ...a.head(), block },
      a.eth.peers.all().map(({ info }) => info.address),
    )
    await sameHead(a, b)
    expect(sent.filter((code) => code === ethCodes.newBlock)).toEqual([])
    expect(sent.filter((code) => code === ethCodes.newBlockHashes)).toHaveLength(2)
    await wait(() => expect(c.eth.peers.all()[0]!.head.hash).toEqual(a.head().hash))
  })

  test('that come before their parents wait for them', async () => {
    const a = start({ blocks: trunk.slice(0, 10) })
    const b = start({ blocks: trunk.slice(0, 10) })
    connect(a, b)
    await wait(() => expect(a.eth.peers.all()).toHaveLength(1))
    const [peer] = a.eth.peers.all()
    const total = 100n * 13n
    for (const block of [trunk[12]!, trunk[11]!, trunk[10]!]) peer!.send('newBlock', encodeNewBlock(block, total))
    await wait(() => expect(b.head().header).toEqual(trunk[12]!.header))
  })

  test('that are invalid are remembered, and five of them cost the peer its place', async () => {
    const a = start({ blocks: trunk.slice(0, 10) })
    const b = start({ blocks: trunk.slice(0, 10) })
    const pair = connect(a, b)
    await wait(() => expect(a.eth.peers.all()).toHaveLength(1))
    const send = (block: Block) => a.eth.peers.all()[0]!.send('newBlock', encodeNewBlock(block, 1100n))
    const bad = (n: number) => ({
      ...trunk[10]!,
      header: { ...trunk[10]!.header, extraData: Uint8Array.of(n), timestamp: 0n },
    })
    // A body that does not belong to its header: those who handed the block on may not have read it yet.
    send({ ...trunk[10]!, transactions: [] })
    for (let n = 0; n < 4; n++) send(bad(n))
    await wait(() => expect(b.chain.badBlocks.all()).toHaveLength(5))
    expect(pair.ended()).toBeUndefined()
    send(bad(4))
    await wait(() => expect(pair.ended()).toEqual({ by: 1, reason: 'uselessPeer' }))
  })

  test('that are only announced are fetched', async () => {
    const a = start({ blocks: trunk.slice(0, 12) })
    const b = start({ blocks: trunk.slice(0, 11) })
    connect(
      tampered(a, (code, payload) =>
        code === ethCodes.status ? claiming(payload, decodeStatus(payload).totalDifficulty - 100n) : payload,
      ),
      b,
    )
    await wait(() => expect(a.eth.peers.all()).toHaveLength(1))
    const { hash, header } = a.head()
    a.eth.peers.all()[0]!.send('newBlockHashes', encodeRlp([[hash, scalar(header.number)]]))
    await sameHead(a, b)
  })
})

describe('transactions', () => {
  test.each([66, 67, 68])('reach all peers by eth/%i', async (version) => {
    const [a, b, c] = [start(), start(), start()]
    connect(a, b, version)
    connect(a, c, version)
    await wait(() => expect(a.eth.peers.all()).toHaveLength(2))
    const txs = Array.from({ length: 20 }, (_, i) => devTx(BigInt(i), { to: alice }))
    for (const tx of txs) a.pool.add(tx, { local: true, now: 0 })
    await wait(() => {
      for (const node of [b, c]) for (const tx of txs) expect(node.pool.get(txHash(tx))?.local).toBe(false)
    })
  })

  test('that wait already are announced to a new peer', async () => {
    const [a, b] = [start(), start()]
    const tx = devTx(0n, { to: alice })
    a.pool.add(tx, { local: true, now: 0 })
    connect(a, b)
    await wait(() => expect(b.pool.get(txHash(tx))).toBeDefined())
  })
})
