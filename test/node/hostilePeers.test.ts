import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { HashedHeader } from '../../src/chain/view.ts'
import { createLocalKey } from '../../src/keys/nodeIdentity.ts'
import { type Enode, parseEnode } from '../../src/net/enode.ts'
import { type EthMessage, ethCodes } from '../../src/net/eth/messages.ts'
import { encodeNewBlock } from '../../src/net/eth/newBlock.ts'
import { decodeHeaderQuery, encodeAnswer } from '../../src/net/eth/queries.ts'
import type { DisconnectReason } from '../../src/net/protocol.ts'
import { createP2p, type P2p } from '../../src/node/createP2p.ts'
import type { Hash32 } from '../../src/primitives/bytes.ts'
import { encodeRlp, encodeRlpList, scalar } from '../../src/primitives/rlp.ts'
import { systemClock } from '../../src/system/clock.ts'
import { encodeHeader } from '../../src/types/header.ts'
import { type ChainNode, openChainNode } from '../support/ethNode.ts'
import { createOpenAllowlist, keyNumber, loopbackOptions } from '../support/netHarness.ts'
import { callNode, type RlpxCaller } from '../support/rlpxCaller.ts'
import { draftBlock, makeBlock } from '../support/testChain.ts'

const height = 30
const maxPeers = 25
/** What may stay behind of all attacks together, and what they may take while they last. */
const memoryLeft = 64e6
const memoryPeak = 300e6

interface Node extends ChainNode {
  readonly p2p: P2p
  readonly enode: Enode
}

let node: Node
/** A node like ours, which follows it all the time. */
let follower: Node
/** Asks for headers without a pause, all the time. */
let patron: { answers(): number; isServed(): boolean }
let memoryBefore = 0
let residentBefore = 0
let callers = 0
const opened: RlpxCaller[] = []

const collect = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})()

function memory(): number {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

async function start(n: number): Promise<Node> {
  const chainNode = openChainNode()
  const p2p = createP2p(
    { ...loopbackOptions, maxPeers },
    {
      ...chainNode,
      key: createLocalKey(keyNumber(n)),
      clientId: `test/${n}`,
      allow: createOpenAllowlist(),
      permitsPeer: () => true,
      protocols: [],
      clock: systemClock,
    },
  )
  await p2p.start()
  return { ...chainNode, p2p, enode: parseEnode(p2p.peers.enode()!) }
}

/** A stranger that nobody knows yet. */
function call(): RlpxCaller {
  const caller = callNode(keyNumber(1000 + callers++), node.enode)
  opened.push(caller)
  return caller
}

async function callAndGreet(change = {}): Promise<RlpxCaller> {
  const caller = call()
  await caller.greet(change)
  return caller
}

const headerQuery = (id: number, start: bigint, count: number) =>
  encodeRlp([scalar(id), [scalar(start), scalar(count), scalar(0), scalar(0)]])

async function startPatron(): Promise<typeof patron> {
  const caller = await callAndGreet()
  let answers = 0
  let served = true
  const ask = () => caller.send('getBlockHeaders', headerQuery(answers, 1n, 4))
  caller.onMessage(({ message }) => {
    if (message !== 'blockHeaders') return
    answers++
    // Soon, but not at once: it is no attack.
    setTimeout(ask, 5)
  })
  void caller.ended.then(() => {
    served = false
  })
  ask()
  return { answers: () => answers, isServed: () => served }
}

const wait = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 10 })

/** Both honest peers must get what they want from here on. */
async function expectService(): Promise<void> {
  const before = patron.answers()
  const block = makeBlock(node.chain)
  node.p2p.broadcastBlock({ ...node.head(), block })
  await wait(() => expect(follower.head().hash).toEqual(node.head().hash))
  await wait(() => expect(patron.answers()).toBeGreaterThan(before))
  expect(patron.isServed()).toBe(true)
}

beforeAll(async () => {
  node = await start(1)
  follower = await start(2)
  for (let i = 0; i < height; i++) makeBlock(node.chain)
  follower.p2p.peers.add(node.enode)
  patron = await startPatron()
  await expectService()
  memoryBefore = memory()
  residentBefore = process.memoryUsage().rss
})

afterAll(async () => {
  for (const caller of opened) caller.close()
  for (const { p2p, close } of [node, follower]) {
    await p2p.stop()
    await close()
  }
})

/** Lets a stranger do its worst; it has to be told that reason, while others are served. */
async function endsWith(
  reason: DisconnectReason,
  attack: (caller: RlpxCaller) => void | Promise<void>,
  caller = call(),
): Promise<void> {
  await caller.status
  await attack(caller)
  expect(await caller.ended).toBe(reason)
  await expectService()
}

const messages = Object.keys(ethCodes) as EthMessage[]
/** Millions of empty lists: short once they are compressed, and each of them would be an object. */
const denseList = encodeRlpList([new Uint8Array(4e6).fill(0xc0)])

describe('who sends', () => {
  test('random bytes instead of a handshake is left without a word', async () => {
    const sockets = Array.from({ length: 20 }, (_, i) => {
      const socket = connect(node.enode.tcpPort, node.enode.ip)
      socket.on('error', () => {})
      socket.write(randomBytes(1 << i))
      return socket
    })
    // Less than a handshake may still become one: those have their time.
    await Promise.all(sockets.slice(9).map((socket) => new Promise((gone) => socket.on('close', gone))))
    for (const socket of sockets) socket.destroy()
    await expectService()
  })

  test('random bytes instead of frames', () =>
    endsWith('breachOfProtocol', async (caller) => {
      await caller.greet()
      caller.write(randomBytes(1000))
    }))

  test('anything before its status', () =>
    endsWith('breachOfProtocol', (caller) => caller.send('getBlockHeaders', headerQuery(1, 0n, 1))))

  test.each([
    ['network', { networkId: 2n }],
    ['genesis block', { genesisHash: new Uint8Array(32) as Hash32 }],
  ])('the status of another %s', (_, change) => endsWith('subprotocol', (caller) => caller.greet(change)))

  test('random payloads of any kind', async () => {
    for (const message of messages) {
      const caller = message === 'status' ? call() : await callAndGreet()
      const reason = message === 'status' ? 'subprotocol' : 'breachOfProtocol'
      await endsWith(reason, () => caller.send(message, randomBytes(500)), caller)
    }
  })

  test('tiny items by the million, well compressed', async () => {
    for (const message of ['status', 'newBlockHashes', 'transactions', 'newBlock', 'getBlockHeaders'] as const) {
      const caller = message === 'status' ? call() : await callAndGreet()
      const reason = message === 'status' ? 'subprotocol' : 'breachOfProtocol'
      await endsWith(reason, () => caller.send(message, denseList), caller)
    }
    expect(process.memoryUsage().rss - residentBefore).toBeLessThan(memoryPeak)
  })

  test('requests far longer than any that is honest', () => {
    const hashes = encodeRlpList(Array.from({ length: 100_000 }, () => encodeRlp(new Uint8Array(32))))
    return endsWith('breachOfProtocol', async (caller) => {
      await caller.greet()
      caller.send('getBlockBodies', encodeRlpList([scalar(1), hashes]))
    })
  })

  test('more requests than anybody needs', () =>
    endsWith('breachOfProtocol', async (caller) => {
      await caller.greet()
      caller.pause()
      for (let id = 0; id < 2500; id++) caller.send('getBlockHeaders', headerQuery(id, 1n, 1024))
      caller.resume()
    }))

  test('one invalid block after the other', () =>
    endsWith('uselessPeer', async (caller) => {
      await caller.greet()
      const block = draftBlock(node.chain)
      for (let n = 0; n < 5; n++) {
        const header = { ...block.header, timestamp: 0n, extraData: Uint8Array.of(n) }
        caller.send('newBlock', encodeNewBlock({ ...block, header }, 1n))
      }
    }))
})

describe('a chain without end', () => {
  /** Our own blocks, then headers that are linked and nothing else. */
  function endless(): (number: bigint) => HashedHeader {
    const headers = node.chain.read((view) =>
      Array.from({ length: Number(view.head.header.number) + 1 }, (_, i) => view.headerAt(BigInt(i))!),
    )
    return (number) => {
      while (headers.length <= Number(number)) {
        const { header: last, hash: parentHash } = headers.at(-1)!
        const header = { ...last, parentHash, number: last.number + 1n, timestamp: last.timestamp + 1n }
        headers.push({ header, hash: node.consensus.hash(header) })
      }
      return headers[Number(number)]!
    }
  }

  /** Answers every request for headers, with `extra` more than were asked for. */
  function serve(caller: RlpxCaller, at: (number: bigint) => HashedHeader, best: bigint, extra: number): void {
    caller.onMessage(({ message, payload }) => {
      if (message !== 'getBlockHeaders') return
      const { id, wanted } = decodeHeaderQuery(payload)
      const start = typeof wanted.start === 'bigint' ? wanted.start : best
      const step = BigInt(wanted.skip + 1) * (wanted.reverse ? -1n : 1n)
      const items: Uint8Array[] = []
      for (let i = 0n, number = start; i < wanted.count + extra && number >= 0n; i++, number += step)
        items.push(encodeHeader(at(number).header))
      caller.send('blockHeaders', encodeAnswer(id, items))
    })
  }

  const best = 20_000n
  test.each([
    ['is found out by its first block', 0],
    ['is not listened to when more comes than was asked for', 1],
  ])('%s', async (_, extra) => {
    const caller = call()
    const at = endless()
    serve(caller, at, best, extra)
    await endsWith(
      'breachOfProtocol',
      () => caller.greet({ bestHash: at(best).hash, totalDifficulty: 10n ** 12n }),
      caller,
    )
    expect(node.p2p.sync.isInSync()).toBe(true)
  })
})

describe('a thousand connections', () => {
  test('that say nothing keep nobody out', async () => {
    const sockets: Socket[] = []
    for (let i = 0; i < 1000; i++) {
      const socket = connect(node.enode.tcpPort, node.enode.ip)
      socket.on('error', () => {})
      sockets.push(socket)
    }
    await wait(() => expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(64))
    const honest = await callAndGreet()
    honest.send('getBlockHeaders', headerQuery(7, 0n, 1))
    await new Promise<void>((resolve) => honest.onMessage(({ message }) => message === 'blockHeaders' && resolve()))
    honest.close()
    for (const socket of sockets) socket.destroy()
    await expectService()
  })

  test('of peers fill the seats that there are; the others are told so', async () => {
    const crowd = Array.from({ length: 2 * maxPeers }, call)
    let told = 0
    for (const { ended, greet } of crowd) {
      void greet()
      void ended.then((reason) => reason === 'tooManyPeers' && told++)
    }
    // The follower and the patron have theirs.
    await wait(() => expect(told).toBe(crowd.length - (maxPeers - 2)))
    await wait(() => expect(node.p2p.peers.count()).toBe(maxPeers))
    await expectService()
    for (const caller of crowd) caller.close()
    await wait(() => expect(node.p2p.peers.count()).toBe(2))
  })
})

test('nothing of it stays in memory', async () => {
  await wait(() => expect(node.p2p.peers.count()).toBe(2))
  expect(memory() - memoryBefore).toBeLessThan(memoryLeft)
})
