import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ChainNode, openChainNode } from '../../test/support/ethNode.ts'
import { createOpenAllowlist, createTestNetworks, loopbackOptions, quickClock } from '../../test/support/netHarness.ts'
import { createSilentLogs } from '../../test/support/silentLogs.ts'
import { devTx, makeBlock } from '../../test/support/testChain.ts'
import { createLocalKey } from '../keys/nodeIdentity.ts'
import { parseEnode } from '../net/enode.ts'
import { encodeForkEntry } from '../net/eth/forkEntry.ts'
import type { NetworkOptions } from '../net/p2pNetwork.ts'
import { hexToAddress } from '../primitives/hex.ts'
import { curve } from '../primitives/secp256k1.ts'
import { systemClock } from '../system/clock.ts'
import { txHash } from '../types/encodeTx.ts'
import { createP2p, type P2p, type P2pParts } from './createP2p.ts'

interface TestNode extends ChainNode {
  readonly p2p: P2p
}

const nodes: TestNode[] = []
const alice = hexToAddress('00000000000000000000000000000000000000aa')

async function start(
  options: Partial<NetworkOptions> = {},
  parts: Partial<Pick<P2pParts, 'clock' | 'log'>> = {},
): Promise<TestNode> {
  const node = openChainNode()
  const key = new Uint8Array(32).fill(nodes.length + 1)
  const p2p = createP2p(
    { ...loopbackOptions, ...options },
    {
      ...node,
      key: createLocalKey(key),
      clientId: `quoin/test${nodes.length}`,
      allow: createOpenAllowlist(),
      permitsPeer: () => true,
      protocols: [],
      clock: systemClock,
      ...parts,
    },
  )
  nodes.push({ ...node, p2p })
  await p2p.start()
  return nodes.at(-1)!
}

const enodeOf = ({ p2p }: TestNode) => parseEnode(p2p.peers.enode()!)
const wait = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 20 })

afterEach(async () => {
  for (const { p2p } of nodes) await p2p.stop()
  for (const node of nodes.splice(0)) await node.close()
})

describe('nodes on real sockets', () => {
  test('sync, hand blocks on and gossip transactions', async () => {
    const [a, b, c] = [await start(), await start(), await start()]
    for (let i = 0; i < 20; i++) makeBlock(a.chain, [devTx(BigInt(i), { to: alice })])
    expect(b.p2p.peers.add(enodeOf(a))).toBe(true)
    expect(b.p2p.peers.add(enodeOf(a))).toBe(false)
    c.p2p.peers.add(enodeOf(b))
    await wait(() => expect(b.head().hash).toEqual(a.head().hash))
    await wait(() => expect(c.head().hash).toEqual(a.head().hash))
    expect(b.p2p.sync.isInSync()).toBe(true)

    const block = makeBlock(a.chain)
    a.p2p.broadcastBlock({ ...a.head(), block })
    await wait(() => expect(c.head().hash).toEqual(a.head().hash))

    const tx = devTx(20n, { to: alice })
    c.pool.add(tx, { local: true, now: Date.now() })
    await wait(() => expect(a.pool.get(txHash(tx))).toBeDefined())
  })

  test('are listed while they are connected', async () => {
    const [a, b] = [await start(), await start()]
    b.p2p.peers.add(enodeOf(a))
    await wait(() => expect([a, b].map(({ p2p }) => p2p.peers.count())).toEqual([1, 1]))
    const [shown] = b.p2p.peers.list()
    expect(shown).toMatchObject({
      version: 5,
      clientId: 'quoin/test0',
      capabilities: ['eth/66', 'eth/67', 'eth/68'],
      port: a.p2p.place().port,
      eth: { version: 68, head: a.chain.genesis.hash },
      enode: expect.stringMatching(/^enode:\/\/[0-9a-f]{128}@127\.0\.0\.1:[0-9]+$/),
    })
    expect(shown!.remoteAddress).toBe(`127.0.0.1:${a.p2p.place().port}`)
    // The inbound side did not ask for the connection: there is nothing static to remove, but the peer has to go.
    expect(a.p2p.peers.remove({ ...enodeOf(b) })).toBe(false)
    await wait(() => expect(a.p2p.peers.count()).toBe(0))
    expect(b.p2p.peers.remove(enodeOf(a))).toBe(true)
    expect(b.p2p.peers.remove(enodeOf(a))).toBe(false)
  })

  test('tell of themselves', async () => {
    const a = await start()
    const { port } = a.p2p.place()
    const id = curve.publicKey(new Uint8Array(32).fill(1))
    expect(a.p2p.peers.nodeInfo()).toEqual({
      enode: `enode://${Buffer.from(id).toString('hex')}@[::]:${port}?discport=0`,
      listenAddress: `[::]:${port}`,
      ip: '127.0.0.1',
      id,
      discoveryPort: undefined,
      listenerPort: port,
    })
    expect(a.p2p.peers.add(enodeOf(a))).toBeUndefined()
    await a.p2p.stop()
    expect(a.p2p.peers.enode()).toBeUndefined()
    expect(a.p2p.peers.isListening()).toBe(false)
  })

  test('do not call those whose record names another chain', async () => {
    const networks = createTestNetworks()
    try {
      const recordEntries = () => new Map([['eth', encodeForkEntry({ hash: 1, next: 0n })]])
      // It takes a call as it comes, but makes none.
      const passive = { clock: quickClock, acceptsRecord: () => false }
      const other = await networks.start(9, { discovery: true }, { ...passive, recordEntries })
      const said: string[] = []
      const log = { ...createSilentLogs(), debug: (_: object, message: string) => void said.push(message) }
      const friend = await start({ discovery: true }, { clock: quickClock })
      const bootnodes = [other.network.enode(), enodeOf(friend)]
      const node = await start({ discovery: true, bootnodes }, { clock: quickClock, log: { ...log, child: () => log } })
      await wait(() => expect(said).toContain('discovered node is on another chain'))
      await wait(() => expect(node.p2p.peers.count()).toBe(1))
      expect(other.refusals).toEqual([])
    } finally {
      await networks.stop()
    }
  })
})
