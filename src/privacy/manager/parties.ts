import { randomUUID } from 'node:crypto'
import { emptyBytes, keyOf } from '../../primitives/bytes.ts'
import type { Logger } from '../../primitives/logger.ts'
import { fromBase64, toBase64 } from '../base64.ts'
import type { KeyPair } from './keys.ts'
import { encodePartyInfo, normaliseUrl, type PartyInfo } from './partyInfo.ts'
import { encodePayload, keyLength } from './payload.ts'
import type { PeerClient } from './peerClient.ts'
import type { Sealing } from './sealing.ts'

/** Header by which Tesseras say what they understand. */
export const versionsHeader = 'tesseraSupportedApiVersions'
/** What this manager understands: groups (3.0), CBOR (5.0), and batches of payloads (v2). */
export const supportedVersions = '2.1,3.0,5.0,v1,v2'

/** The managers that this one knows, and which keys they have. */
export interface Parties {
  /** Where a key is, if its manager was there when last called. */
  find(key: Uint8Array): Party | undefined
  /** Takes what another manager says about itself. */
  hear(info: PartyInfo, versions: readonly string[]): void
  /** Announces this manager to all others; resolves when all have answered or cannot be reached. */
  announce(): Promise<void>
  describe(): PartyInfo
}

export interface Party {
  readonly url: string
  /** API versions that it announced. */
  readonly versions: ReadonlySet<string>
}

interface Known {
  readonly url: string
  /** From the options: never forgotten. */
  readonly isGiven: boolean
  versions: ReadonlySet<string>
  isReachable: boolean
  failures: number
  isChecking: boolean
}

export interface PartiesOptions {
  readonly url: string
  readonly peers: readonly string[]
  /** Whether managers are contacted that only others have named. */
  readonly discovery: boolean
}

export interface PartiesPorts {
  readonly keys: readonly KeyPair[]
  readonly sealing: Sealing
  readonly client: PeerClient
  readonly log: Logger
  /** A manager has proved that it has these keys. */
  onFound(url: string, keys: readonly Uint8Array[]): void
}

const maxParties = 1000
const maxKeys = 1000
/** Rounds in which a manager that others have named may be unreachable before it is forgotten. */
const maxFailures = 60

export function createParties(options: PartiesOptions, ports: PartiesPorts): Parties {
  const { url: ownUrl } = options
  const { keys, sealing, client, log, onFound } = ports
  const known = new Map<string, Known>()
  /** Owners that have proved to be so. */
  const owners = new Map<string, { readonly key: Uint8Array; readonly url: string }>()

  for (const peer of options.peers) add(peer, true)

  function add(text: string, isGiven: boolean): Known | undefined {
    const url = normaliseUrl(text)
    if (url === undefined || url === ownUrl) return undefined
    const before = known.get(url)
    if (before || (!isGiven && known.size >= maxParties)) return before
    const party = { url, isGiven, versions: new Set<string>(), isReachable: false, failures: 0, isChecking: false }
    known.set(url, party)
    return party
  }

  function describe(): PartyInfo {
    return {
      url: ownUrl,
      keys: keys.map(({ publicKey }) => ({ key: publicKey, url: ownUrl })),
      knownUrls: [ownUrl, ...[...known.values()].filter(({ isReachable }) => isReachable).map(({ url }) => url)],
    }
  }

  /** Whether a manager can open what is sealed for a key. */
  async function proves(url: string, key: Uint8Array): Promise<boolean> {
    const secret = randomUUID()
    try {
      const sealed = sealing.seal(new TextEncoder().encode(secret), keys[0]!, [key], emptyBytes)
      const { status, body } = await client.call(url, 'partyinfo/validate', { body: encodePayload(sealed) })
      return status === 200 && body.toString() === secret
    } catch {
      return false
    }
  }

  /** Whether a key that a manager claims is its own. A key stays with an owner that still proves to be it. */
  async function isOwner(url: string, key: Uint8Array): Promise<boolean> {
    const owner = owners.get(keyOf(key))
    if (owner?.url === url) return true
    if (!(await proves(url, key))) {
      log.warn({ url, key: toBase64(key) }, 'a manager claims a key that it does not have')
      return false
    }
    if (owner && (await proves(owner.url, key))) {
      log.warn({ url, owner: owner.url, key: toBase64(key) }, 'a manager claims a key that another one has')
      return false
    }
    return true
  }

  async function claim(party: Known, claimed: readonly Uint8Array[]): Promise<void> {
    if (party.isChecking) return
    party.isChecking = true
    try {
      const { url } = party
      const foreign = claimed.filter((key) => key.length === keyLength && !sealing.own(key)).slice(0, maxKeys)
      const names = new Set(foreign.map(keyOf))
      for (const [name, owner] of owners) if (owner.url === url && !names.has(name)) owners.delete(name)
      const found: Uint8Array[] = []
      for (const key of foreign) {
        const isNew = owners.get(keyOf(key))?.url !== url
        if (!(await isOwner(url, key))) continue
        owners.set(keyOf(key), { key, url })
        if (isNew) found.push(key)
      }
      party.isReachable = true
      party.failures = 0
      if (found.length === 0) return
      log.info({ url, keys: found.map(toBase64) }, 'found a private transaction manager')
      onFound(url, found)
    } finally {
      party.isChecking = false
    }
  }

  function ownsAny(url: string): boolean {
    return [...owners.values()].some((owner) => owner.url === url)
  }

  async function announceTo(party: Known): Promise<void> {
    try {
      const headers = { [versionsHeader]: supportedVersions }
      const { status } = await client.call(party.url, 'partyinfo', { body: encodePartyInfo(describe()), headers })
      if (status !== 200) throw new Error(`status ${status}`)
      party.isReachable = true
      party.failures = 0
      // A Tessera tells its keys when it is its turn: to ask is faster.
      if (!ownsAny(party.url)) await claim(party, await askKeys(party.url))
    } catch (error) {
      if (party.isReachable) log.warn({ url: party.url, reason: String(error) }, 'a manager cannot be reached')
      party.isReachable = false
      party.failures++
      if (!party.isGiven && party.failures >= maxFailures) forget(party.url)
    }
  }

  async function askKeys(url: string): Promise<Uint8Array[]> {
    const { status, body } = await client.call(url, 'partyinfo', { method: 'GET' })
    if (status !== 200) return []
    const answer = JSON.parse(body.toString()) as { readonly keys?: readonly { key?: unknown; url?: unknown }[] }
    if (!Array.isArray(answer.keys)) return []
    return answer.keys.flatMap((entry: { key?: unknown; url?: unknown }) => {
      const isOwn = typeof entry.url === 'string' && normaliseUrl(entry.url) === url
      return isOwn && typeof entry.key === 'string' ? (fromBase64(entry.key) ?? []) : []
    })
  }

  function forget(url: string): void {
    known.delete(url)
    for (const [name, owner] of owners) if (owner.url === url) owners.delete(name)
  }

  return {
    find(key) {
      const owner = owners.get(keyOf(key))
      const party = owner && known.get(owner.url)
      return party?.isReachable ? party : undefined
    },
    hear(info, versions) {
      const url = normaliseUrl(info.url)
      const isKnown = url !== undefined && known.has(url)
      if (!isKnown && !options.discovery) return
      const party = add(info.url, false)
      if (!party) return
      party.versions = new Set(versions)
      const wasReachable = party.isReachable
      const claimed = info.keys.filter((entry) => normaliseUrl(entry.url) === party.url).map(({ key }) => key)
      void claim(party, claimed).then(() => (wasReachable ? undefined : announceTo(party)))
      if (!options.discovery) return
      for (const other of info.knownUrls) {
        const isNew = !known.has(normaliseUrl(other) ?? '')
        const named = add(other, false)
        if (named && isNew) void announceTo(named)
      }
    },
    async announce() {
      await Promise.all([...known.values()].map(announceTo))
    },
    describe: () => {
      const own = describe()
      const foreign = [...owners.values()].filter(({ url }) => known.get(url)?.isReachable)
      return { ...own, keys: [...own.keys, ...foreign] }
    },
  }
}
