import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createRecorder,
  createTestNetworks,
  keyNumber,
  quickClock,
  type TestNode,
  until,
} from '../../test/support/netHarness.ts'
import { createRecordedLogs } from '../../test/support/recordedLogs.ts'
import { callNode } from '../../test/support/rlpxCaller.ts'
import { startTestGateway } from '../../test/support/testGateway.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { curve } from '../primitives/secp256k1.ts'
import { type Clock, systemClock } from '../system/clock.ts'
import type { Enode } from './enode.ts'
import type { NodeRecord } from './enr.ts'
import type { SubProtocol } from './protocol.ts'

const nodes = createTestNetworks()
afterEach(nodes.stop)

const countOf = ({ network }: TestNode) => network.peers().length
const areConnected = (...all: TestNode[]) => until(() => all.every((node) => countOf(node) === 1), 'a connection')

describe('two nodes', () => {
  test('connect, know each other and exchange messages', async () => {
    const [a, b] = [await nodes.start(1), await nodes.start(2)]
    expect(a.network.addPeer(b.network.enode())).toBe(true)
    expect(a.network.addPeer(b.network.enode())).toBe(false)
    await areConnected(a, b)

    const [seen] = b.network.peers()
    expect(seen).toMatchObject({ clientId: 'test/1', inbound: true, isStatic: false })
    expect(seen!.listenPort).toBe(a.network.enode().tcpPort)
    expect(seen!.capabilities).toEqual([{ name: 'echo', version: 1 }])
    expect(a.network.peers()[0]).toMatchObject({ clientId: 'test/2', inbound: false, isStatic: true })

    const large = new Uint8Array(3_000_000).map((_, i) => (i * i) >> 7)
    a.recorder.links[0]!.send(3, Uint8Array.of(1, 2))
    a.recorder.links[0]!.send(0, large)
    b.recorder.links[0]!.send(1, new Uint8Array(0))
    await until(() => b.recorder.messages.length === 2 && a.recorder.messages.length === 1, 'messages')
    expect(b.recorder.messages[0]).toEqual({ code: 3, payload: '0102' })
    expect(b.recorder.messages[1]!.payload).toBe(Buffer.from(large).toString('hex'))
    expect(a.recorder.messages).toEqual([{ code: 1, payload: '' }])
  })

  test('are told when the other leaves, and find each other again', async () => {
    const [a, b] = [await nodes.start(1, {}, { clock: quickClock }), await nodes.start(2)]
    a.network.addPeer(b.network.enode())
    await areConnected(a, b)
    b.recorder.links[0]!.disconnect('requested')
    await until(() => a.recorder.closed() === 1 && b.recorder.closed() === 1, 'the end')
    expect(b.recorder.links[0]!.send(0, new Uint8Array(1))).toBe(false)
    await until(() => a.recorder.links.length === 2 && countOf(a) === 1, 'a second connection')
  })

  test('that call each other at once keep one connection', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await nodes.start(2 * round), await nodes.start(2 * round + 1)]
      a.network.addPeer(b.network.enode())
      b.network.addPeer(a.network.enode())
      await areConnected(a, b)
      // What is sent on the connection that has to go may be lost.
      await until(() => {
        a.recorder.links.at(-1)!.send(0, Uint8Array.of(9))
        return b.recorder.messages.length > 0
      }, 'a message')
      expect([countOf(a), countOf(b)]).toEqual([1, 1])
      expect(a.recorder.closed()).toBe(a.recorder.links.length - 1)
    }
  })

  test('without a shared protocol do not stay connected', async () => {
    const other = createRecorder('other')
    const [a, b] = [await nodes.start(1), await nodes.start(2, {}, { protocols: [other.protocol] })]
    a.network.addPeer(b.network.enode())
    await until(() => a.refusals.length > 0 && b.refusals.length > 0, 'the end')
    expect([a, b].map(({ refusals }) => refusals[0]!.reason)).toEqual(['uselessPeer', 'uselessPeer'])
    expect([...a.recorder.links, ...other.links]).toEqual([])
  })
})

test('removing a peer disconnects it and does not call it again', async () => {
  const [a, b] = [await nodes.start(1), await nodes.start(2)]
  a.network.addPeer(b.network.enode())
  await areConnected(a, b)
  expect(a.network.removePeer(b.network.enode())).toBe(true)
  expect(a.network.removePeer(b.network.enode())).toBe(false)
  await until(() => countOf(b) === 0, 'the end')
  expect(countOf(a)).toBe(0)
})

test('a node with another key than expected never becomes a peer, and leaves nothing behind', async () => {
  const [a, b] = [await nodes.start(1), await nodes.start(2)]
  const wrong: Enode = { ...b.network.enode(), id: curve.publicKey(keyNumber(3)) }
  a.network.addPeer(wrong)
  await until(() => a.refusals.length > 0 && b.refusals.length > 0, 'the end')
  expect(b.refusals[0]).toMatchObject({ reason: 'breachOfProtocol', by: 'us' })
  expect(countOf(a) + countOf(b)).toBe(0)
  expect(a.recorder.links).toEqual([])
  expect(a.network.removePeer(wrong)).toBe(true)
  expect(a.network.removePeer(wrong)).toBe(false)
})

test('a node does not connect with itself', async () => {
  const a = await nodes.start(1)
  expect(() => a.network.addPeer(a.network.enode())).toThrow('own peer')
})

describe('a second process with the key of a node', () => {
  const ofKey = (lines: string[]) => lines.filter((line) => line.includes('has the key of this node'))

  test('is named when it calls the first one', async () => {
    const log = createRecordedLogs()
    const node = await nodes.start(1, {}, { log })
    const caller = callNode(keyNumber(1), node.network.enode())
    expect(await caller.ended).toBe('localIdentity')
    await until(() => ofKey(log.lines()).length === 1, 'the warning')
    expect(ofKey(log.lines())[0]).toMatch(/^warn another process, at 127\.0\.0\.1:\d+, has the key of this node/)
  })

  test('says itself that it is kept out, once that has lasted', async () => {
    let ahead = 0
    const clock: Clock = { now: () => systemClock.now() + ahead, after: systemClock.after }
    const [own, log] = [createRecordedLogs(), createRecordedLogs()]
    const [hub, first] = [await nodes.start(2), await nodes.start(1, {}, { log: own })]
    first.network.addPeer(hub.network.enode())
    await areConnected(first, hub)
    const second = await nodes.start(1, {}, { log, clock })
    second.network.addPeer(hub.network.enode())
    // The hub lets two connections wait for each other that come close together.
    await until(() => second.recorder.closed() > 0, 'the refusal')
    expect(ofKey(log.lines())).toEqual([])
    let refusals = 0
    await until(() => {
      // A minute passes after each of them.
      if (second.recorder.closed() > refusals) {
        refusals = second.recorder.closed()
        ahead += 65_000
      }
      return ofKey(log.lines()).length > 0
    }, 'the warning')
    expect(ofKey(log.lines())[0]).toMatch(/^warn the node at 127\.0\.0\.1:\d+ is connected with another process/)
    expect(countOf(first)).toBe(1)
    expect(ofKey(own.lines())).toEqual([])
  })
})

describe('limits', () => {
  test('a full node refuses further ones, but not its static ones', async () => {
    const hub = await nodes.start(0, { maxPeers: 1 })
    const [a, b] = [await nodes.start(1), await nodes.start(2)]
    a.network.addPeer(hub.network.enode())
    await areConnected(a, hub)
    b.network.addPeer(hub.network.enode())
    await until(() => b.refusals.length > 0 || b.recorder.closed() > 0, 'the refusal')
    expect(hub.refusals[0]).toMatchObject({ reason: 'tooManyPeers', by: 'us' })
    expect(countOf(hub)).toBe(1)
    hub.network.addPeer(b.network.enode())
    await until(() => countOf(hub) === 2, 'the static peer')
  })

  test('callers get their share only', async () => {
    const hub = await nodes.start(0, { maxPeers: 4, maxInboundShare: 0.5 })
    const callers = [await nodes.start(1), await nodes.start(2), await nodes.start(3)]
    for (const { network } of callers) network.addPeer(hub.network.enode())
    await until(() => countOf(hub) === 2 && hub.refusals.length > 0, 'two callers')
    expect(hub.refusals[0]).toMatchObject({ reason: 'tooManyPeers', by: 'us' })
    expect(countOf(hub)).toBe(2)
  })

  test('banned nodes are not let in', async () => {
    const a = await nodes.start(1)
    const b = await nodes.start(2, { banned: [a.network.enode().id] })
    a.network.addPeer(b.network.enode())
    b.network.addPeer(a.network.enode())
    await until(() => b.refusals.length > 0, 'the refusal')
    expect(b.refusals).toEqual([expect.objectContaining({ reason: 'unknown', by: 'us' })])
    expect(countOf(b)).toBe(0)
  })
})

describe('the allowlist', () => {
  test('keeps callers out, is asked before calling, and ends connections when it changes', async () => {
    const [a, b] = [await nodes.start(1), await nodes.start(2)]
    b.allow.set((enode) => !equalBytes(enode.id, a.network.enode().id))
    a.network.addPeer(b.network.enode())
    b.network.addPeer(a.network.enode())
    await until(() => b.refusals.length > 0, 'the refusal')
    expect(b.refusals).toEqual([expect.objectContaining({ reason: 'unknown', by: 'us' })])
    expect(countOf(b)).toBe(0)
    b.allow.set(() => true)
    await areConnected(a, b)
    b.allow.set((enode) => enode.tcpPort !== a.network.enode().tcpPort)
    expect(countOf(b)).toBe(0)
    await until(() => countOf(a) === 0, 'the end')
  })
})

describe('protocols', () => {
  test('that disconnect while they are opened leave nothing behind', async () => {
    let closed = 0
    const rude: SubProtocol = {
      name: 'echo',
      version: 1,
      length: 4,
      open(link) {
        link.disconnect('subprotocol')
        return { onMessage: () => undefined, onClose: () => void closed++ }
      },
    }
    const [a, b] = [await nodes.start(1, {}, { protocols: [rude] }), await nodes.start(2)]
    b.network.addPeer(a.network.enode())
    await until(() => closed === 1 && countOf(b) === 0, 'the end')
    expect(countOf(a)).toBe(0)
  })

  test('that fail on a message end the connection, and the peer is not let in again', async () => {
    const strict: SubProtocol = {
      name: 'echo',
      version: 1,
      length: 4,
      open: () => ({
        onMessage() {
          throw new RangeError('no')
        },
        onClose: () => undefined,
      }),
    }
    const a = await nodes.start(1, {}, { protocols: [strict] })
    const b = await nodes.start(2, {}, { clock: quickClock })
    b.network.addPeer(a.network.enode())
    await areConnected(a, b)
    b.recorder.links[0]!.send(0, Uint8Array.of(1))
    await until(() => b.recorder.closed() === 1, 'the end')
    await until(() => a.refusals.length > 0, 'the second attempt')
    expect(a.refusals[0]).toMatchObject({ reason: 'unknown', by: 'us' })
    expect(countOf(a)).toBe(0)
  })
})

test('a port that is taken is a fault that names the option', async () => {
  const a = await nodes.start(1)
  const { tcpPort: port } = a.network.enode()
  await expect(nodes.start(2, { port })).rejects.toThrow(`Port(s) '[${port}]' already in use (TCP)`)
  await expect(nodes.start(2, { port })).rejects.toThrow('--p2p-port')
})

describe('hostile callers', () => {
  test('hundreds that say nothing do not keep an honest one out', async () => {
    const [a, b] = [await nodes.start(1), await nodes.start(2)]
    const { tcpPort } = a.network.enode()
    const sockets = Array.from({ length: 300 }, () => connect(tcpPort, '127.0.0.1').on('error', () => undefined))
    b.network.addPeer(a.network.enode())
    await areConnected(a, b)
    await until(() => sockets.filter((socket) => socket.destroyed).length >= 300 - 64, 'the oldest to go')
    for (const socket of sockets) socket.destroy()
  })

  test('random bytes end the connection', async () => {
    const a = await nodes.start(1)
    const socket = connect(a.network.enode().tcpPort, '127.0.0.1').on('error', () => undefined)
    socket.write(Buffer.alloc(600, 0x33))
    await until(() => socket.destroyed, 'the end')
    expect(countOf(a)).toBe(0)
  })
})

describe('discovery', () => {
  test('nodes that know one other node find all', async () => {
    const boot = await nodes.start(0, { discovery: true }, { clock: quickClock })
    const bootnodes = [boot.network.enode()]
    const others = [1, 2, 3].map((n) => nodes.start(n, { discovery: true, bootnodes }, { clock: quickClock }))
    const all = [boot, ...(await Promise.all(others))]
    await until(() => all.every((node) => countOf(node) === 3), 'a full mesh')
  })

  test('nodes whose record says that they are of another network are not called', async () => {
    const clock = quickClock
    const networkEntry = (name: string) => () => new Map([['network', new TextEncoder().encode(name)]])
    const asked: string[] = []
    const acceptsRecord = ({ entries }: NodeRecord) => {
      const name = Buffer.from(entries.get('network') as Uint8Array).toString()
      asked.push(name)
      return name === 'ours'
    }
    const passive = { clock, acceptsRecord: () => false }
    const other = await nodes.start(0, { discovery: true }, { ...passive, recordEntries: networkEntry('theirs') })
    const friend = await nodes.start(1, { discovery: true }, { ...passive, recordEntries: networkEntry('ours') })
    const bootnodes = [other.network.enode(), friend.network.enode()]
    const node = await nodes.start(2, { discovery: true, bootnodes }, { clock, acceptsRecord })
    await until(() => countOf(node) === 1 && countOf(friend) === 1 && asked.includes('theirs'), 'the friend')
    expect(countOf(other)).toBe(0)
  })
})

test('a node behind a router that forwards its ports tells others the outer address', async () => {
  const gateway = await startTestGateway()
  try {
    const { network } = await nodes.start(0, { upnp: { searchAddress: gateway.place, more: [] } })
    const before = network.record()
    await until(() => network.enode().ip === '203.0.113.7', 'the outer address')
    const { tcpPort, udpPort } = network.enode()
    expect([...gateway.mappings]).toEqual([[`${tcpPort} TCP`, `127.0.0.1 ${tcpPort} 3600`]])
    expect(udpPort).toBe(0)
    expect(network.record()).not.toBe(before)
    await network.stop()
    expect(gateway.mappings.size).toBe(0)
  } finally {
    await gateway.stop()
  }
})
