import { join } from 'node:path'
import { createHostCheck } from '../http/hostAllowlist.ts'
import type { Listening, ServerAddress } from '../http/listen.ts'
import { keyOf } from '../primitives/bytes.ts'
import { fromBase64, toBase64 } from '../privacy/enclave/base64.ts'
import type { Enclave } from '../privacy/enclave/enclave.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { ManagerError, refusals } from './fault.ts'
import { describeGroup } from './group.ts'
import { createGroups } from './groups.ts'
import { type Route, serveRoutes } from './httpRoutes.ts'
import type { KeyPair } from './keys.ts'
import { hostOf } from './localAddresses.ts'
import { createManagerQuestions } from './managerQuestions.ts'
import { openManagerStore } from './managerStore.ts'
import { createNodeRoutes, keyIn, keysIn, membersIn } from './nodeRoutes.ts'
import { createParties } from './parties.ts'
import { normaliseUrl } from './partyInfo.ts'
import { createPayloads } from './payloads.ts'
import { createPeerClient } from './peerClient.ts'
import { createPeerRoutes } from './peerRoutes.ts'
import { createPushing } from './pushing.ts'
import { createQuotas } from './quotas.ts'
import { createResending, type Resending } from './resending.ts'
import { createSealing } from './sealing.ts'

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
  const allowed = options.allowedKeys && new Set(options.allowedKeys.map(keyOf))
  const isAllowed = (key: Uint8Array) =>
    allowed === undefined || allowed.has(keyOf(key)) || sealing.own(key) !== undefined
  const recover = options.recover === true || !store.hasPayloads()
  let isClosed = false
  let cancelRound = () => {}

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    cancelRound()
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
    let resending: Resending | undefined
    const parties = createParties(
      { url, peers: options.peers, discovery: options.discovery ?? true, interval },
      {
        ...{ keys, sealing, clock, log, isAllowed },
        questions: createManagerQuestions(client, sealing, keys[0]!),
        onFound(found) {
          if (recover) void recoverFrom(found)
        },
      },
    )
    const pushing = createPushing(parties, client, log)
    const isTrusted = (key: Uint8Array) => allowed?.has(keyOf(key)) === true || sealing.own(key) !== undefined
    const quotas = createQuotas({ store, isTrusted, isProven: parties.isProven })
    const groups = createGroups({ store, pushing, sealing, quotas, isAllowed, log })
    const onArrival = (key: Uint8Array) => {
      for (const listener of listeners) listener(key)
    }
    const payloads = createPayloads({ store, pushing, sealing, groups, quotas, isAllowed, onArrival })
    resending = createResending({ keys, parties, payloads, groups, pushing, client, clock, log })
    peerRoutes = createPeerRoutes({ parties, payloads, groups, sealing, resending })

    async function recoverFrom(url: string): Promise<void> {
      // The other one may have to find this manager first.
      for (let attempt = 0; attempt < maxAsks && !isClosed; attempt++) {
        if (await resending?.ask(url)) return
        await new Promise<void>((resolve) => clock.after(interval, resolve))
      }
    }

    let nodeUrl: string | undefined
    if (options.nodeApi) {
      const isHost = createHostCheck(options.nodeApi.hostAllowlist)
      const routes = createNodeRoutes({ keys, payloads, groups })
      const server = await serveRoutes(
        options.nodeApi,
        () => routes,
        log,
        ({ headers }) => isHost(headers.host),
      )
      servers.push(server)
      nodeUrl = urlOf(server)
    }

    async function round(): Promise<void> {
      try {
        await parties.announce()
        await groups.deliver()
      } catch (error) {
        if (!isClosed) log.error({ error: String(error) }, 'the round of announcements failed')
      }
      if (!isClosed) cancelRound = clock.after(interval, () => void round())
    }
    void round()

    return {
      keys: keys.map(({ name }) => name),
      url,
      nodeUrl,
      knownKeys: () => parties.describe().keys.map(({ key }) => toBase64(key)),
      onArrival: (listener) => void listeners.push(listener),
      close,
      async send(payload, from, recipients) {
        const to =
          'to' in recipients
            ? { recipients: keysIn(recipients.to) }
            : { privacyGroupId: keyIn(recipients.privacyGroupId) }
        // Besu seals the base64 text of a transaction, not its bytes.
        return payloads.send(new TextEncoder().encode(toBase64(payload)), keyIn(from), to)
      },
      async receive(key, to) {
        const opened = payloads.receive(key, to === undefined ? undefined : keyIn(to))
        const payload = fromBase64(new TextDecoder().decode(opened.message))
        if (!payload) throw refusals.unknownPayload(toBase64(key))
        return {
          payload,
          privacyGroupId: toBase64(opened.privacyGroupId),
          senderKey: toBase64(opened.sender),
        }
      },
      createGroup: async ({ addresses, from, name, description }) =>
        describeGroup(await groups.create(keysIn(addresses), keyIn(from), name, description)),
      async deleteGroup(privacyGroupId, from) {
        await groups.remove(keyIn(privacyGroupId), keyIn(from))
        return privacyGroupId
      },
      findGroups: async (addresses) => groups.find(membersIn({ addresses })).map(describeGroup),
      retrieveGroup: async (privacyGroupId) => describeGroup(groups.require(keyIn(privacyGroupId))),
    }
  } catch (error) {
    await close()
    throw error
  }
}

function urlOf({ host, port }: ServerAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
}
