import { afterEach, expect, test, vi } from 'vitest'
import { type ChainNode, openChainNode } from '../../../test/support/ethNode.ts'
import { createOpenAllowlist, loopbackOptions } from '../../../test/support/netHarness.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { type AskSnap, downloadState } from '../../../test/support/snapDownload.ts'
import { devTx, makeBlock } from '../../../test/support/testChain.ts'
import { createLocalKey } from '../../keys/nodeIdentity.ts'
import { parseEnode } from '../../net/enode.ts'
import { rlpParts } from '../../net/eth/rlpParts.ts'
import type { ProtocolLink, SubProtocol } from '../../net/protocol.ts'
import { snapCodeCount, snapRequests } from '../../net/snap/messages.ts'
import { encodeRequest } from '../../net/snap/requests.ts'
import { decodeResponse } from '../../net/snap/responses.ts'
import { createSnapProtocol } from '../../net/snap/snapProtocol.ts'
import { type Address, keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { decodeRlp, rlpScalar } from '../../primitives/rlp.ts'
import { systemClock } from '../../system/clock.ts'
import { createP2p } from '../createP2p.ts'
import { createStateReader } from './createStateReader.ts'

const open: { close(): unknown }[] = []

afterEach(async () => {
  for (const { close } of open.splice(0).reverse()) await close()
})

function start() {
  const node = openChainNode()
  const reader = createStateReader({ dataPath: node.path, clock: systemClock, log: createSilentLogs() })
  open.push(node, { close: reader.stop })
  return { node, reader }
}

const to = (n: number) => new Uint8Array(20).fill(n) as Address

/** Makes blocks, each with one new account; returns the state roots. */
function grow({ chain, head }: ChainNode, from: number, until: number) {
  const roots = []
  for (let n = from; n < until; n++) {
    makeBlock(chain, [devTx(BigInt(n - 1), { to: to(n), value: 1n })])
    roots.push(head().header.stateRoot)
  }
  return roots
}

test('a process serves the state of each block to peers, and refuses what is malformed', async () => {
  const { node, reader } = start()
  const asked = { peer: new Uint8Array(20) as Address, isGone: () => false }
  const roots = grow(node, 1, 20)
  const ask: AskSnap = async (kind, request) => {
    const payload = encodeRequest(kind, 1n, request)
    return decodeResponse(kind, await reader.ask({ ...asked, code: snapRequests[kind], payload })).message
  }
  for (const block of [19, 10]) {
    const { accounts } = await downloadState(ask, roots[block - 1]!, 300)
    for (let n = 1; n < 20; n++) expect(accounts.has(keyOf(keccak256(to(n))))).toBe(n <= block)
  }
  // The process sees blocks that came after it has started.
  const [newest] = grow(node, 20, 21)
  const { accounts } = await downloadState(ask, newest!, 300)
  expect(accounts.has(keyOf(keccak256(to(20))))).toBe(true)
  await expect(reader.ask({ ...asked, code: 0, payload: Uint8Array.of(0xc0) })).rejects.toThrow('invalid message')
  await expect(reader.ask({ ...asked, code: 0, payload: Uint8Array.of(0xc1) })).rejects.toThrow('invalid message')
}, 60_000)

function idOf(payload: Uint8Array): bigint {
  return rlpScalar(decodeRlp(rlpParts(payload)[0]!), 64)
}

/** A peer that asks for state. */
function createAsking() {
  let link: ProtocolLink | undefined
  let last = 0n
  const waiting = new Map<bigint, (payload: Uint8Array) => void>()
  const protocol: SubProtocol = {
    name: 'snap',
    version: 1,
    length: snapCodeCount,
    open(opened) {
      link = opened
      return {
        onMessage: (_, payload) => waiting.get(idOf(payload))?.(payload.slice()),
        onClose: () => void (link = undefined),
      }
    },
  }
  const ask: AskSnap = (kind, request) => {
    const id = ++last
    return new Promise((resolve, reject) => {
      if (!link?.send(snapRequests[kind], encodeRequest(kind, id, request))) reject(new Error('not connected'))
      waiting.set(id, (payload) => resolve(decodeResponse(kind, payload).message))
    })
  }
  return { protocol, ask, isOpen: () => link !== undefined }
}

test('peers take over the state on real sockets, beside eth', async () => {
  const { node, reader } = start()
  const asking = createAsking()
  const other = openChainNode()
  open.push(other)
  const parts = { allow: createOpenAllowlist(), permitsPeer: () => true, clock: systemClock }
  const log = createSilentLogs()
  const snap = createSnapProtocol({ server: reader, clock: systemClock, now: () => performance.now(), log })
  const key = (n: number) => new Uint8Array(32).fill(n)
  const server = createP2p(loopbackOptions, {
    ...node,
    ...parts,
    key: createLocalKey(key(1)),
    clientId: 'server',
    protocols: [snap],
  })
  const peer = createP2p(loopbackOptions, {
    ...other,
    ...parts,
    key: createLocalKey(key(2)),
    clientId: 'peer',
    protocols: [asking.protocol],
  })
  open.push({ close: server.stop }, { close: peer.stop })
  const roots = grow(node, 1, 30)
  await server.start()
  await peer.start()
  peer.peers.add(parseEnode(server.peers.enode()!))
  await vi.waitFor(() => expect(asking.isOpen()).toBe(true), { timeout: 20_000 })
  const { accounts } = await downloadState(asking.ask, roots.at(-1)!, 500)
  for (let n = 1; n < 30; n++) expect(accounts.has(keyOf(keccak256(to(n))))).toBe(true)
}, 60_000)
