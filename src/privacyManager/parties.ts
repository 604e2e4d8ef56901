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
  receive(info: PartyInfo, from: string): void
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

/** The other managers: whom to call and when, and which keys each has proved to own. */
class OtherManagers implements Parties {
  private readonly options: PartiesOptions
  private readonly ports: PartiesPorts
  private readonly known: ReturnType<typeof createKnownParties>
  /** Owners that have proved to be so. */
  private readonly owners = new Map<string, { readonly key: Uint8Array; readonly url: string }>()

  constructor(options: PartiesOptions, ports: PartiesPorts) {
    this.ports = ports
    this.options = options
    this.known = createKnownParties(options)
  }

  private describeOwn(): PartyInfo {
    return {
      url: this.options.url,
      keys: this.ports.keys.map(({ publicKey }) => ({ key: publicKey, url: this.options.url })),
      knownUrls: [
        this.options.url,
        ...this.known
          .all()
          .filter(({ isReachable }) => isReachable)
          .map(({ url }) => url),
      ],
    }
  }

  private keysAt(url: string) {
    return [...this.owners.values()].filter((owner) => owner.url === url).map(({ key }) => key)
  }

  /** Whether a key that a manager names is its own. A key stays with an owner that still proves to be it. */
  private async isOwner(url: string, key: Uint8Array): Promise<boolean> {
    const owner = this.owners.get(keyOf(key))
    if (owner?.url === url) return true
    if (!(await this.ports.questions.proves(url, key))) {
      this.ports.log.warn({ url, key: toBase64(key) }, 'a manager claims a key that it does not have')
      return false
    }
    if (owner && (await this.ports.questions.proves(owner.url, key).catch(() => false))) {
      this.ports.log.warn({ url, owner: owner.url, key: toBase64(key) }, 'a manager claims a key that another one has')
      return false
    }
    return true
  }

  /** Asks a manager at its own address for its keys, and lets it prove those that are new. */
  private async ask(party: Known): Promise<void> {
    if (party.isAsked) return
    party.isAsked = true
    party.askedAt = this.ports.clock.now()
    const { url } = party
    const found: Uint8Array[] = []
    try {
      const said = await this.ports.questions.describe(url)
      const named = said.keys
        .filter((key) => !this.ports.sealing.own(key) && this.ports.isAllowed(key))
        .slice(0, maxKeys)
      for (const key of this.keysAt(url)) if (!named.some((one) => equalBytes(one, key))) this.owners.delete(keyOf(key))
      for (const key of named) {
        const isNew = this.owners.get(keyOf(key))?.url !== url
        if (!(await this.isOwner(url, key)) || this.known.get(url) !== party) continue
        this.owners.set(keyOf(key), { key, url })
        if (isNew) found.push(key)
      }
      party.isProven = this.keysAt(url).length > 0
      // One that has proved nothing could name anything.
      if (this.options.discovery && (party.isGiven || party.isProven))
        for (const other of said.urls) this.learn(other, hostOf(url))
    } finally {
      party.isAsked = false
    }
    if (found.length === 0) return
    // Others know this manager once they have proved a key.
    if (!party.isReachable) await this.ports.questions.announce(url, this.describeOwn())
    party.isReachable = true
    party.failures = 0
    this.ports.log.info({ url, keys: found.map(toBase64) }, 'found a private transaction manager')
    this.ports.onFound(url, found)
  }

  private learn(text: string, source: string): void {
    const url = normaliseUrl(text)
    if (url === undefined || this.known.get(url)) return
    const party = this.known.learn(url, source)
    if (party) void this.call(party)
  }

  /** Announces this manager to one that is given or has proved a key; others are asked first. */
  private async call(party: Known): Promise<void> {
    if (party.isCalled) return
    party.isCalled = true
    party.calledAt = this.ports.clock.now()
    try {
      if (party.isGiven || party.isProven) {
        await this.ports.questions.announce(party.url, this.describeOwn())
        party.isReachable = true
        party.failures = 0
        if (!party.isProven || this.ports.clock.now() - party.askedAt >= askEvery * this.options.interval)
          void this.ask(party).catch((error) =>
            this.ports.log.debug({ url: party.url, reason: String(error) }, 'no answer'),
          )
      } else {
        await this.ask(party)
        if (!party.isProven) this.failed(party)
      }
    } catch (error) {
      if (party.isReachable)
        this.ports.log.warn({ url: party.url, reason: String(error) }, 'a manager cannot be reached')
      this.failed(party)
    } finally {
      party.isCalled = false
    }
  }

  private failed(party: Known): void {
    party.isReachable = false
    party.failures++
    if (party.isGiven) return
    party.nextCall = this.ports.clock.now() + this.options.interval * Math.min(2 ** (party.failures - 1), maxDelay)
    if (party.failures < (party.isProven ? maxFailures.proven : maxFailures.unproven)) return
    this.known.forget(party.url)
    for (const key of this.keysAt(party.url)) this.owners.delete(keyOf(key))
  }

  /** Whether a manager seems to have changed since it was asked. */
  private isNews(party: Known, { keys: said }: PartyInfo): boolean {
    const named = said.filter(({ url }) => normaliseUrl(url) === party.url)
    const have = new Set(this.keysAt(party.url).map(keyOf))
    return !party.isReachable || named.length !== have.size || named.some(({ key }) => !have.has(keyOf(key)))
  }

  readonly find: Parties['find'] = (key) => {
    const owner = this.owners.get(keyOf(key))
    const party = owner && this.known.get(owner.url)
    return party?.isReachable ? party : undefined
  }

  readonly isProven: Parties['isProven'] = (key) => this.owners.has(keyOf(key))

  readonly receive: Parties['receive'] = (info, from) => {
    const url = normaliseUrl(info.url)
    const party = url === undefined ? undefined : this.known.get(url)
    if (!party) {
      if (this.options.discovery) this.learn(info.url, from)
      return
    }
    // Of others there is a next call, and anyone who repeats himself does not bring it about.
    if (!(party.isGiven || party.isProven) || !this.isNews(party, info)) return
    party.askedAt = -Infinity
    party.nextCall = Math.min(party.nextCall, party.calledAt + this.options.interval)
    if (this.ports.clock.now() - party.calledAt >= this.options.interval) void this.call(party)
  }

  readonly announce: Parties['announce'] = async () => {
    const now = this.ports.clock.now()
    const due = this.known.all().filter(({ nextCall }) => nextCall <= now)
    // Whom nobody knows must not make the others wait.
    const calls = due.map((party) => (party.isGiven || party.isProven ? this.call(party) : void this.call(party)))
    await Promise.all(calls)
  }

  readonly describe: Parties['describe'] = () => {
    const own = this.describeOwn()
    const foreign = [...this.owners.values()].filter(({ url }) => this.known.get(url)?.isReachable)
    return { ...own, keys: [...own.keys, ...foreign] }
  }
}

export function createParties(options: PartiesOptions, ports: PartiesPorts): Parties {
  return new OtherManagers(options, ports)
}
