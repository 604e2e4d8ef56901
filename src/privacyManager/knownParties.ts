import { hostOf, isLocalHost } from './localAddresses.ts'
import { normaliseUrl } from './partyInfo.ts'

/** Another manager whose address was given or named. */
export interface Known {
  readonly url: string
  /** From the options: never forgotten. */
  readonly isGiven: boolean
  /** Who named it. */
  readonly source: string
  /** Whether it has proved a key, as of the last time that it was asked. */
  isProven: boolean
  isReachable: boolean
  failures: number
  /** When it was last called; when it is called next. */
  calledAt: number
  nextCall: number
  /** When it was last asked who it is. */
  askedAt: number
  isCalled: boolean
  isAsked: boolean
}

export interface KnownPartiesOptions {
  readonly url: string
  readonly peers: readonly string[]
}

/** The managers that are known, bounded in number whatever strangers name. */
export interface KnownParties {
  get(url: string): Known | undefined
  all(): readonly Known[]
  /** Remembers an address that a stranger or a manager has named; undefined if it is not to be called. */
  learn(url: string, source: string): Known | undefined
  forget(url: string): void
}

const maxParties = 1000
/** Addresses at one host: a host can have many names for one manager. */
const maxPerHost = 100
/** Addresses that have not proved a key: of one source, and of all. */
const maxUnprovenPerSource = 32
const maxUnproven = 256

export function createKnownParties({ url: ownUrl, peers }: KnownPartiesOptions): KnownParties {
  const known = new Map<string, Known>()
  for (const peer of peers) {
    const url = normaliseUrl(peer)
    if (url !== undefined && url !== ownUrl) add(url, true, 'options')
  }
  // A network on one machine says so by its own addresses.
  const allowsLocal = [ownUrl, ...known.keys()].some((url) => isLocalHost(hostOf(url)))

  function add(url: string, isGiven: boolean, source: string): Known {
    const state = { isProven: false, isReachable: false, isCalled: false, isAsked: false, failures: 0 }
    const party = { url, isGiven, source, ...state, calledAt: -Infinity, nextCall: 0, askedAt: -Infinity }
    known.set(url, party)
    return party
  }

  /** Those that could go, the oldest first. */
  function unproven(): readonly Known[] {
    return [...known.values()].filter(({ isGiven, isProven }) => !isGiven && !isProven)
  }

  /** The oldest of the source that has named most. */
  function leastTrusted(among: readonly Known[]): Known | undefined {
    const counts = new Map<string, number>()
    for (const { source } of among) counts.set(source, (counts.get(source) ?? 0) + 1)
    const max = Math.max(...counts.values())
    return among.find(({ source }) => counts.get(source) === max)
  }

  return {
    get: (url) => known.get(url),
    all: () => [...known.values()],
    forget: (url) => void known.delete(url),
    learn(url, source) {
      const before = known.get(url)
      if (before || url === ownUrl) return before
      const host = hostOf(url)
      if (!allowsLocal && isLocalHost(host)) return undefined
      const waiting = unproven()
      if (waiting.filter((one) => one.source === source).length >= maxUnprovenPerSource) return undefined
      if ([...known.keys()].filter((one) => hostOf(one) === host).length >= maxPerHost) return undefined
      if (waiting.length >= maxUnproven || known.size >= maxParties) {
        const gives = leastTrusted(waiting)
        if (!gives) return undefined
        known.delete(gives.url)
      }
      return add(url, false, source)
    },
  }
}
