import { describe, expect, test } from 'vitest'
import { encodePacket, encodeRecord } from '../../../test/support/localKeys.ts'
import { createManualClock } from '../../../test/support/manualClock.ts'
import { keyNumber } from '../../../test/support/netHarness.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { createLocalKey } from '../../keys/nodeIdentity.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import { curve } from '../../primitives/secp256k1.ts'
import type { Enode } from '../enode.ts'
import { createDiscovery, type Discovery } from './discovery.ts'
import { type DiscoveryMessage, decodePacket } from './packet.ts'

interface TestDiscovery {
  readonly enode: Enode
  readonly discovery: Discovery
  readonly found: Enode[]
  readonly sent: { type: DiscoveryMessage['type']; to: number }[]
  isAllowed: (enode: Enode) => boolean
}

/** Nodes that send each other datagrams without a network; each has a port of its own. */
function createWorld() {
  const clock = createManualClock(1_700_000_000_000)
  const nodes = new Map<number, TestDiscovery>()

  function add(n: number, bootnodes: readonly TestDiscovery[] = []): TestDiscovery {
    const key = keyNumber(n)
    const port = 30000 + n
    const enode = { id: curve.publicKey(key), ip: '127.0.0.1', tcpPort: port, udpPort: port }
    const record = { seq: BigInt(n), bytes: encodeRecord(BigInt(n), new Map(), key) }
    const found: Enode[] = []
    const sent: TestDiscovery['sent'] = []
    let counter = n
    const node: TestDiscovery = {
      enode,
      found,
      sent,
      isAllowed: () => true,
      discovery: createDiscovery({
        key: createLocalKey(key),
        clock,
        random: (length) => new Uint8Array(length).map(() => (counter = (counter * 167 + 13) & 0xff)),
        log: createSilentLogs(),
        self: () => enode,
        record: () => record,
        send(bytes, to) {
          sent.push({ type: decodePacket(bytes).message.type, to: to.udpPort })
          clock.after(10, () => nodes.get(to.udpPort)?.discovery.receive(bytes, '127.0.0.1', port))
        },
        isAllowed: (other) => node.isAllowed(other),
        wantsPeers: () => true,
        onFound: (other) => found.push(other),
      }),
    }
    nodes.set(port, node)
    node.discovery.start(bootnodes.map(({ enode }) => enode))
    return node
  }

  return {
    clock,
    add,
    remove(node: TestDiscovery): void {
      nodes.delete(node.enode.udpPort)
      node.discovery.stop()
    },
    /** Lets time pass, and what waits for answers go on. */
    async run(milliseconds: number): Promise<void> {
      for (let passed = 0; passed < milliseconds; passed += 50) {
        clock.run(50)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

const knows = (a: TestDiscovery, b: TestDiscovery) =>
  a.discovery.nodes().some((enode) => equalBytes(enode.id, b.enode.id) && enode.tcpPort === b.enode.tcpPort)

describe('a flood', () => {
  /** Bytes of a ping by one of many that never answer. */
  const pingOf = (n: number, to: Enode, now: number) => {
    const from = { ip: '10.0.0.1', tcpPort: 30303, udpPort: 30303 }
    return encodePacket({ type: 'ping', from, to, expires: Math.floor(now / 1000) + 60, seq: 0n }, keyNumber(n)).bytes
  }

  test('from one address keeps nobody else out', async () => {
    const world = createWorld()
    const a = world.add(1)
    const now = world.clock.now()
    for (let i = 0; i < 1000; i++) a.discovery.receive(pingOf(1000 + (i % 20), a.enode, now), '10.0.0.1', 30303)
    const b = world.add(2, [a])
    await world.run(200)
    expect(knows(a, b) && knows(b, a)).toBe(true)
  })

  test('from any number of addresses keeps out nobody who has answered', async () => {
    const world = createWorld()
    const a = world.add(1)
    const b = world.add(2, [a])
    await world.run(1000)
    const now = world.clock.now()
    const ping = pingOf(1000, a.enode, now)
    for (let i = 0; i < 1000; i++) a.discovery.receive(ping, `10.0.${i >> 8}.${i & 255}`, 30303)
    const before = a.sent.length
    b.discovery.bond(a.enode)
    await world.run(200)
    expect(
      a.sent
        .slice(before)
        .filter(({ to }) => to === b.enode.udpPort)
        .map(({ type }) => type),
    ).toContain('pong')
  })

  test('of nodes that never answer is not remembered in place of those that do', async () => {
    const world = createWorld()
    const a = world.add(1)
    const b = world.add(2, [a])
    await world.run(1000)
    // Nobody hears of it for a while.
    world.remove(b)
    const ids = Array.from({ length: 50 }, (_, i) => pingOf(1000 + i, a.enode, world.clock.now() + 600_000))
    for (let i = 0; i < 4500; i++) {
      if (i % 150 === 0) world.clock.run(1000)
      a.discovery.receive(ids[i % 50]!, `10.${1 + (i >> 12)}.${(i >> 6) & 63}.${i & 63}`, 30303)
    }
    await world.run(1000)
    const before = a.sent.length
    const request = {
      type: 'findNode',
      target: b.enode.id,
      expires: Math.floor(world.clock.now() / 1000) + 60,
    } as const
    a.discovery.receive(encodePacket(request, keyNumber(2)).bytes, '127.0.0.1', b.enode.udpPort)
    expect(a.sent.slice(before).map(({ type }) => type)).toContain('neighbors')
  })
})

describe('discovery', () => {
  test('two nodes bond, and both may dial', async () => {
    const world = createWorld()
    const a = world.add(1)
    const b = world.add(2, [a])
    await world.run(200)
    expect(knows(a, b) && knows(b, a)).toBe(true)
    expect(a.found[0]).toEqual(b.enode)
    expect(b.found[0]).toEqual(a.enode)
  })

  test('nodes that know only one other find all', async () => {
    const world = createWorld()
    const boot = world.add(0)
    const others = Array.from({ length: 8 }, (_, i) => world.add(i + 1, [boot]))
    await world.run(6_000)
    for (const node of others) expect(node.found.map(({ udpPort }) => udpPort)).toContain(30000)
    expect(others.map(({ discovery }) => discovery.nodes().length)).toEqual(others.map(() => 8))
  })

  test('a bootnode that starts later is found', async () => {
    const world = createWorld()
    const late = createWorld().add(0)
    const a = world.add(1, [late])
    await world.run(5_000)
    expect(a.discovery.nodes()).toEqual([])
    const boot = world.add(0)
    await world.run(10_000)
    expect(knows(a, boot)).toBe(true)
  })

  test('nodes that left are forgotten', async () => {
    const world = createWorld()
    const a = world.add(1)
    const b = world.add(2, [a])
    await world.run(200)
    world.remove(b)
    await world.run(30_000)
    expect(a.discovery.nodes()).toEqual([])
  })

  test('gives its record to those who bonded', async () => {
    const world = createWorld()
    const a = world.add(1)
    const b = world.add(2, [a])
    const c = world.add(3)
    await world.run(200)
    const [given, denied] = [b.discovery.requestRecord(a.enode), c.discovery.requestRecord(a.enode)]
    await world.run(2_000)
    expect((await given)!.seq).toBe(1n)
    expect(await denied).toBe(undefined)
  })

  test('asks for no record where there is none', async () => {
    const world = createWorld()
    const a = world.add(1)
    const b = world.add(0, [a])
    await world.run(200)
    expect(knows(a, b)).toBe(true)
    const request = a.discovery.requestRecord(b.enode)
    await world.run(2_000)
    expect(await request).toBe(undefined)
    expect(a.sent.filter(({ type }) => type === 'recordRequest')).toEqual([])
  })

  test('anyone who is not allowed is neither answered nor asked, and forgotten when that changes', async () => {
    const world = createWorld()
    const a = world.add(1)
    const b = world.add(2, [a])
    a.isAllowed = (enode) => !equalBytes(enode.id, b.enode.id)
    await world.run(500)
    expect(a.sent).toEqual([])
    expect(b.discovery.nodes()).toEqual([])
    a.isAllowed = () => true
    await world.run(5_000)
    expect(knows(a, b)).toBe(true)
    a.isAllowed = () => false
    a.discovery.purge()
    expect(a.discovery.nodes()).toEqual([])
    // The bond still holds, and the other goes on asking for neighbours.
    const sent = a.sent.length
    const asked = () => b.sent.filter(({ type }) => type === 'findNode').length
    const askedBefore = asked()
    await world.run(60_000)
    expect(asked()).toBeGreaterThan(askedBefore)
    expect(a.sent.length).toBe(sent)
  })
})

describe('strangers', () => {
  const key = keyNumber(9)
  const place = { ip: '127.0.0.1', udpPort: 1, tcpPort: 1 }

  function give(node: TestDiscovery, message: DiscoveryMessage, port = 31009): void {
    node.discovery.receive(encodePacket(message, key).bytes, '127.0.0.1', port)
  }

  test('get no answers larger than their questions', async () => {
    const world = createWorld()
    const a = world.add(1)
    const expires = Math.floor(world.clock.now() / 1000) + 20
    give(a, { type: 'findNode', target: new Uint8Array(64), expires })
    give(a, { type: 'recordRequest', expires })
    give(a, { type: 'neighbors', nodes: [{ ...place, id: curve.publicKey(keyNumber(5)) }], expires })
    give(a, { type: 'pong', to: place, ping: new Uint8Array(32), expires, seq: 1n })
    await world.run(1_000)
    expect(a.sent).toEqual([])
    expect(a.discovery.nodes()).toEqual([])
  })

  test('old packets and bytes that are no packet are passed over', () => {
    const world = createWorld()
    const a = world.add(1)
    const expires = Math.floor(world.clock.now() / 1000) - 1
    give(a, { type: 'ping', from: place, to: place, expires, seq: 1n })
    // Read as a signed number, this is before 1970.
    give(a, { type: 'ping', from: place, to: place, expires: 2 ** 64 - expires, seq: 1n })
    for (let n = 0; n < 200; n++) a.discovery.receive(new Uint8Array(n).fill(n), '127.0.0.1', 1)
    expect(a.sent).toEqual([])
  })

  test('a flood is answered up to a limit', () => {
    const world = createWorld()
    const a = world.add(1)
    const expires = Math.floor(world.clock.now() / 1000) + 20
    const { bytes } = encodePacket({ type: 'ping', from: place, to: place, expires, seq: 1n }, key)
    for (let n = 0; n < 300; n++) a.discovery.receive(bytes, '127.0.0.1', 31009)
    expect(a.sent.filter(({ type }) => type === 'pong')).toHaveLength(100)
    expect(a.sent.filter(({ type }) => type === 'ping')).toHaveLength(1)
  })
})
