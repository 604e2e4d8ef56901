import { equalBytes, keyOf } from '../primitives/bytes.ts'
import { toBase64 } from '../privacy/enclave/base64.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { KeyPair } from './keys.ts'
import { createKnownParties, type Known } from './knownParties.ts'
import { hostOf } from './localAddresses.ts'
import type { ManagerQuestions } from './managerQuestions.ts'
import { normaliseUrl, type PartyInfo } from './partyInfo.ts'
import type { Sealing } from './sealing.ts'

/** The managers that this one knows, and which keys they have. */
export interface Parties {
  /** Where a key is, if its manager was there when last called. */
  find(key: Uint8Array): Party | undefined
  /** Whether a manager has proved that a key is its own, reachable or not. */
  isProven(key: Uint8Array): boolean
  /** Somebody at a network address says that a manager is there: nothing of it is believed, the manager itself is asked. */
  hear(info: PartyInfo, from: string): void
  /** Announces this manager to the others; resolves when all have answered or cannot be reached. */
  announce(): Promise<void>
  describe(): PartyInfo
}

export interface Party {
  readonly url: string
}

export interface PartiesOptions {
  readonly url: string
  readonly peers: readonly string[]
  /** Whether managers are contacted that only others have named. */
  readonly discovery: boolean
  /** Milliseconds between announcements. */
  readonly interval: number
}

export interface PartiesPorts {
  readonly keys: readonly KeyPair[]
  readonly sealing: Pick<Sealing, 'own'>
  readonly questions: ManagerQuestions
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  /** Whether this manager has to do with a key at all. */
  isAllowed(key: Uint8Array): boolean
  /** A manager has proved that it has these keys. */
  onFound(url: string, keys: readonly Uint8Array[]): void
}

/** Keys of one manager. */
const maxKeys = 1000
/** Rounds after which a manager is asked again who it is. */
const askEvery = 12
/** Calls in a row that may fail before a manager that others have named is forgotten: of one that has proved a key, of others. */
const maxFailures = { proven: 10, unproven: 5 }
/** A manager that cannot be reached is called after so many rounds at most. */
const maxDelay = 16

export function createParties(options: PartiesOptions, ports: PartiesPorts): Parties {
  const { url: ownUrl, interval, discovery } = options
  const { keys, sealing, questions, clock, log, onFound, isAllowed } = ports
  const known = createKnownParties(options)
  /** Owners that have proved to be so. */
  const owners = new Map<string, { readonly key: Uint8Array; readonly url: string }>()

  function describe(): PartyInfo {
    return {
      url: ownUrl,
      keys: keys.map(({ publicKey }) => ({ key: publicKey, url: ownUrl })),
      knownUrls: [
        ownUrl,
        ...known
          .all()
          .filter(({ isReachable }) => isReachable)
          .map(({ url }) => url),
      ],
    }
  }

  const keysAt = (url: string) => [...owners.values()].filter((owner) => owner.url === url).map(({ key }) => key)

  /** Whether a key that a manager names is its own. A key stays with an owner that still proves to be it. */
  async function isOwner(url: string, key: Uint8Array): Promise<boolean> {
    const owner = owners.get(keyOf(key))
    if (owner?.url === url) return true
    if (!(await questions.proves(url, key))) {
      log.warn({ url, key: toBase64(key) }, 'a manager claims a key that it does not have')
      return false
    }
    if (owner && (await questions.proves(owner.url, key).catch(() => false))) {
      log.warn({ url, owner: owner.url, key: toBase64(key) }, 'a manager claims a key that another one has')
      return false
    }
    return true
  }

  /** Asks a manager at its own address for its keys, and lets it prove those that are new. */
  async function ask(party: Known): Promise<void> {
    if (party.isAsked) return
    party.isAsked = true
    party.askedAt = clock.now()
    const { url } = party
    const found: Uint8Array[] = []
    try {
      const said = await questions.describe(url)
      const named = said.keys.filter((key) => !sealing.own(key) && isAllowed(key)).slice(0, maxKeys)
      for (const key of keysAt(url)) if (!named.some((one) => equalBytes(one, key))) owners.delete(keyOf(key))
      for (const key of named) {
        const isNew = owners.get(keyOf(key))?.url !== url
        if (!(await isOwner(url, key)) || known.get(url) !== party) continue
        owners.set(keyOf(key), { key, url })
        if (isNew) found.push(key)
      }
      party.isProven = keysAt(url).length > 0
      // One that has proved nothing could name anything.
      if (discovery && (party.isGiven || party.isProven)) for (const other of said.urls) learn(other, hostOf(url))
    } finally {
      party.isAsked = false
    }
    if (found.length === 0) return
    // Others hear of this manager once they have proved a key.
    if (!party.isReachable) await questions.announce(url, describe())
    party.isReachable = true
    party.failures = 0
    log.info({ url, keys: found.map(toBase64) }, 'found a private transaction manager')
    onFound(url, found)
  }

  function learn(text: string, source: string): void {
    const url = normaliseUrl(text)
    if (url === undefined || known.get(url)) return
    const party = known.learn(url, source)
    if (party) void call(party)
  }

  /** Announces this manager to one that is given or has proved a key; others are asked first. */
  async function call(party: Known): Promise<void> {
    if (party.isCalled) return
    party.isCalled = true
    party.calledAt = clock.now()
    try {
      if (party.isGiven || party.isProven) {
        await questions.announce(party.url, describe())
        party.isReachable = true
        party.failures = 0
        if (!party.isProven || clock.now() - party.askedAt >= askEvery * interval)
          void ask(party).catch((error) => log.debug({ url: party.url, reason: String(error) }, 'no answer'))
      } else {
        await ask(party)
        if (!party.isProven) failed(party)
      }
    } catch (error) {
      if (party.isReachable) log.warn({ url: party.url, reason: String(error) }, 'a manager cannot be reached')
      failed(party)
    } finally {
      party.isCalled = false
    }
  }

  function failed(party: Known): void {
    party.isReachable = false
    party.failures++
    if (party.isGiven) return
    party.nextCall = clock.now() + interval * Math.min(2 ** (party.failures - 1), maxDelay)
    if (party.failures < (party.isProven ? maxFailures.proven : maxFailures.unproven)) return
    known.forget(party.url)
    for (const key of keysAt(party.url)) owners.delete(keyOf(key))
  }

  /** Whether a manager seems to have changed since it was asked. */
  function isNews(party: Known, { keys: said }: PartyInfo): boolean {
    const named = said.filter(({ url }) => normaliseUrl(url) === party.url)
    const have = new Set(keysAt(party.url).map(keyOf))
    return !party.isReachable || named.length !== have.size || named.some(({ key }) => !have.has(keyOf(key)))
  }

  return {
    find(key) {
      const owner = owners.get(keyOf(key))
      const party = owner && known.get(owner.url)
      return party?.isReachable ? party : undefined
    },
    isProven: (key) => owners.has(keyOf(key)),
    hear(info, from) {
      const url = normaliseUrl(info.url)
      const party = url === undefined ? undefined : known.get(url)
      if (!party) {
        if (discovery) learn(info.url, from)
        return
      }
      // Of others there is a next call, and anyone who repeats himself does not bring it about.
      if (!(party.isGiven || party.isProven) || !isNews(party, info)) return
      party.askedAt = -Infinity
      party.nextCall = Math.min(party.nextCall, party.calledAt + interval)
      if (clock.now() - party.calledAt >= interval) void call(party)
    },
    async announce() {
      const now = clock.now()
      const due = known.all().filter(({ nextCall }) => nextCall <= now)
      // Whom nobody knows must not make the others wait.
      const calls = due.map((party) => (party.isGiven || party.isProven ? call(party) : void call(party)))
      await Promise.all(calls)
    },
    describe: () => {
      const own = describe()
      const foreign = [...owners.values()].filter(({ url }) => known.get(url)?.isReachable)
      return { ...own, keys: [...own.keys, ...foreign] }
    },
  }
}
