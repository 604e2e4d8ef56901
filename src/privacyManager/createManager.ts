import { join } from 'node:path'
import { createHostCheck } from '../http/hostAllowlist.ts'
import type { Listening, ServerAddress } from '../http/listen.ts'
import { keyOf } from '../primitives/bytes.ts'
import { toBase64 } from '../privacy/enclave/base64.ts'
import type { Enclave } from '../privacy/enclave/enclave.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { announceRounds } from './announceRounds.ts'
import { ManagerError } from './fault.ts'
import { createGroups } from './groups.ts'
import { type Route, serveRoutes } from './httpRoutes.ts'
import type { KeyPair } from './keys.ts'
import { hostOf } from './localAddresses.ts'
import { createLocalEnclave } from './localEnclave.ts'
import { createManagerQuestions } from './managerQuestions.ts'
import { type ManagerStore, openManagerStore } from './managerStore.ts'
import { createNodeRoutes } from './nodeRoutes.ts'
import { createParties } from './parties.ts'
import { normaliseUrl } from './partyInfo.ts'
import { createPayloads } from './payloads.ts'
import { createPeerClient, type PeerClient } from './peerClient.ts'
import { createPeerRoutes } from './peerRoutes.ts'
import { createPushing } from './pushing.ts'
import { createQuotas } from './quotas.ts'
import { createResending, type Resending } from './resending.ts'
import { createSealing, type Sealing } from './sealing.ts'

export interface ManagerOptions {
  /** Folder of its store. */
  readonly path: string
  readonly keys: readonly KeyPair[]
  /** Where other managers connect to. */
  readonly peerApi: ServerAddress
  /** The address that others are given; that of `peerApi` without it. */
  readonly url?: string | undefined
  /** Addresses of other managers. */
  readonly peers: readonly string[]
  /** Whether managers that peers name are contacted too. */
  readonly discovery?: boolean
  /** The public keys of others that this manager has to do with; any without it. */
  readonly allowedKeys?: readonly Uint8Array[] | undefined
  /** Where nodes connect to; without it only the node in the same process uses the manager. */
  readonly nodeApi?: (ServerAddress & { readonly hostAllowlist: readonly string[] }) | undefined
  /** Asks the others for all payloads again; a manager without any payload always does. */
  readonly recover?: boolean
  /** Milliseconds between announcements to other managers. */
  readonly interval?: number
}

export interface ManagerPorts {
  readonly log: Logger
  readonly clock: Clock
}

/** A private transaction manager that runs. */
export interface Manager extends Enclave {
  /** Public keys in base64. */
  readonly keys: readonly string[]
  /** The address that other managers are given. */
  readonly url: string
  /** Address of the API for nodes, if it is served. */
  readonly nodeUrl: string | undefined
  /** Public keys that can be reached now, our own among them. */
  knownKeys(): readonly string[]
  /** Calls back with the key of each payload that another manager has sent and that is new here. */
  onArrival(listener: (key: Uint8Array) => void): void
  close(): Promise<void>
}

const defaultInterval = 5000
/** How often a manager is asked to send what was lost here. */
const maxAsks = 20

/** Where the store of a manager lies in a data path. */
export function managerFolder(dataPath: string): string {
  return join(dataPath, 'privacy')
}

/** Opens the store of a manager, starts its servers and looks for the other managers. */
export async function createManager(options: ManagerOptions, { log, clock }: ManagerPorts): Promise<Manager> {
  const { keys, interval = defaultInterval } = options
  if (keys.length === 0) throw new ManagerError({ code: 'NO_KEYS' })
  const store = openManagerStore(options.path)
  const listeners: ((key: Uint8Array) => void)[] = []
  const servers: Listening[] = []
  /** Hosts that the operator has named. */
  const trustedHosts = new Set(options.peers.map(normaliseUrl).flatMap((url) => (url === undefined ? [] : hostOf(url))))
  const client = createPeerClient((host) => trustedHosts.has(host))
  const sealing = createSealing(keys)
  let isClosed = false
  let endRounds = () => {}

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    endRounds()
    await Promise.all(servers.map((server) => server.close()))
    client.close()
    await store.close()
  }

  try {
    // The port may be known only when it is open, and it is part of the address that others are given.
    let peerRoutes: readonly Route[] = []
    const peerServer = await serveRoutes(options.peerApi, () => peerRoutes, log)
    servers.push(peerServer)
    const url = normaliseUrl(options.url ?? urlOf(peerServer))
    if (url === undefined) throw new ManagerError({ code: 'INVALID_URL', url: options.url ?? '' })
    trustedHosts.add(hostOf(url))
    const services = createServices(
      { ...options, url, interval },
      {
        ...{ store, sealing, client, log, clock },
        isClosed: () => isClosed,
        onArrival: (key) => {
          for (const listener of listeners) listener(key)
        },
      },
    )
    peerRoutes = services.peerRoutes
    const { parties, groups, payloads } = services

    const nodeServer =
      options.nodeApi && (await serveNode(options.nodeApi, createNodeRoutes({ keys, payloads, groups }), log))
    if (nodeServer) servers.push(nodeServer)
    endRounds = announceRounds({ parties, groups, interval, clock, log })

    return {
      keys: keys.map(({ name }) => name),
      url,
      nodeUrl: nodeServer && urlOf(nodeServer),
      knownKeys: () => parties.describe().keys.map(({ key }) => toBase64(key)),
      onArrival: (listener) => void listeners.push(listener),
      close,
      ...createLocalEnclave(payloads, groups),
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface ServicePorts extends ManagerPorts {
  readonly store: ManagerStore
  readonly sealing: Sealing
  readonly client: PeerClient
  isClosed(): boolean
  onArrival(key: Uint8Array): void
}

/** What the servers of a manager answer with: the other managers, groups and payloads. */
function createServices(
  options: ManagerOptions & { readonly url: string; readonly interval: number },
  { store, sealing, client, log, clock, isClosed, onArrival }: ServicePorts,
) {
  const { keys, url, peers, discovery = true, interval } = options
  const allowed = options.allowedKeys && new Set(options.allowedKeys.map(keyOf))
  const isAllowed = (key: Uint8Array) =>
    allowed === undefined || allowed.has(keyOf(key)) || sealing.own(key) !== undefined
  const isTrusted = (key: Uint8Array) => allowed?.has(keyOf(key)) === true || sealing.own(key) !== undefined
  const recover = options.recover === true || !store.hasPayloads()
  let resending: Resending | undefined

  async function recoverFrom(found: string): Promise<void> {
    // The other one may have to find this manager first.
    for (let attempt = 0; attempt < maxAsks && !isClosed(); attempt++) {
      if (await resending?.ask(found)) return
      await new Promise<void>((resolve) => clock.after(interval, resolve))
    }
  }

  const parties = createParties(
    { url, peers, discovery, interval },
    {
      ...{ keys, sealing, clock, log, isAllowed },
      questions: createManagerQuestions(client, sealing, keys[0]!),
      onFound(found) {
        if (recover) void recoverFrom(found)
      },
    },
  )
  const pushing = createPushing(parties, client, log)
  const quotas = createQuotas({ store, isTrusted, isProven: parties.isProven })
  const groups = createGroups({ store, pushing, sealing, quotas, isAllowed, log })
  const payloads = createPayloads({ store, pushing, sealing, groups, quotas, isAllowed, onArrival })
  resending = createResending({ keys, parties, payloads, groups, pushing, client, clock, log })
  const peerRoutes = createPeerRoutes({ parties, payloads, groups, sealing, resending })
  return { parties, groups, payloads, peerRoutes }
}

/** Serves the API for nodes, to the hosts that are allowed. */
function serveNode(
  api: NonNullable<ManagerOptions['nodeApi']>,
  routes: readonly Route[],
  log: Logger,
): Promise<Listening> {
  const isHost = createHostCheck(api.hostAllowlist)
  return serveRoutes(
    api,
    () => routes,
    log,
    ({ headers }) => isHost(headers.host),
  )
}

function urlOf({ host, port }: ServerAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
}
