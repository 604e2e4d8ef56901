import { createHash, randomBytes } from 'node:crypto'
import { createLocalKey } from '../../src/keys/nodeIdentity.ts'
import type { Enode } from '../../src/net/enode.ts'
import { createNetwork } from '../../src/net/network.ts'
import type { NetworkOptions, NetworkParts, P2pNetwork } from '../../src/net/p2pNetwork.ts'
import type { ClosedBy, DisconnectReason, NodeAllowlist, ProtocolLink, SubProtocol } from '../../src/net/protocol.ts'
import { type Clock, systemClock } from '../../src/system/clock.ts'
import { createSilentLogs } from './silentLogs.ts'

/** Time that passes five times as fast, so that nobody waits long for a second attempt. */
export const quickClock: Clock = {
  now: () => 5 * systemClock.now(),
  after: (milliseconds, action) => systemClock.after(milliseconds / 5, action),
}

/** A network on loopback that finds nobody by itself. */
export const loopbackOptions: NetworkOptions = {
  host: '127.0.0.1',
  interface: '127.0.0.1',
  port: 0,
  maxPeers: 25,
  maxInboundShare: undefined,
  randomPriority: false,
  discovery: false,
  bootnodes: [],
  staticNodes: [],
  banned: [],
  upnp: undefined,
}

/** A private key that is the same in each run. */
export function keyNumber(n: number): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`node ${n}`).digest())
}

/** Everybody is allowed, until told otherwise. */
export function createOpenAllowlist(): NodeAllowlist & { set(isAllowed: (enode: Enode) => boolean): void } {
  let current: (enode: Enode) => boolean = () => true
  const listeners = new Set<() => void>()
  return {
    allows: (source, destination) => current(source) && current(destination),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(isAllowed) {
      current = isAllowed
      for (const listener of listeners) listener()
    },
  }
}

/** A protocol that records what happens to it, as `open`, `message` and `close` events. */
export function createRecorder(name = 'echo', version = 1, length = 4) {
  const links: ProtocolLink[] = []
  const messages: { code: number; payload: string }[] = []
  let closed = 0
  const protocol: SubProtocol = {
    name,
    version,
    length,
    open(link) {
      links.push(link)
      return {
        onMessage: (code, payload) => messages.push({ code, payload: Buffer.from(payload).toString('hex') }),
        onClose: () => {
          closed++
        },
      }
    },
  }
  return { protocol, links, messages, closed: () => closed }
}

export interface TestNode {
  readonly network: P2pNetwork
  readonly recorder: ReturnType<typeof createRecorder>
  readonly allow: ReturnType<typeof createOpenAllowlist>
  /** How connections ended that never made a peer. */
  readonly refusals: { readonly reason: DisconnectReason; readonly by: ClosedBy }[]
}

/** Networks on loopback, without discovery unless asked for; `stop` ends all of them. */
export function createTestNetworks() {
  const started: P2pNetwork[] = []
  return {
    async start(
      n: number,
      options: Partial<NetworkOptions> = {},
      parts: Partial<NetworkParts> = {},
    ): Promise<TestNode> {
      const recorder = createRecorder()
      const allow = createOpenAllowlist()
      const refusals: TestNode['refusals'] = []
      const debug = (fields: object, message: string) => {
        if (message === 'connection failed') refusals.push(fields as TestNode['refusals'][number])
      }
      const network = createNetwork(
        { ...loopbackOptions, ...options },
        {
          key: createLocalKey(keyNumber(n)),
          clientId: `test/${n}`,
          clock: systemClock,
          log: { ...createSilentLogs(), debug },
          random: randomBytes,
          protocols: [recorder.protocol],
          allow,
          ...parts,
        },
      )
      await network.start()
      started.push(network)
      return { network, recorder, allow, refusals }
    },
    async stop(): Promise<void> {
      await Promise.all(started.splice(0).map((network) => network.stop()))
    },
  }
}

/** Turns of 5 ms: on a busy machine packets come too late, and nodes try again only after a while. */
const maxTurns = 24_000

/** Waits until something holds that other nodes bring about. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < maxTurns; i++) {
    if (holds()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`never came about: ${what}`)
}
