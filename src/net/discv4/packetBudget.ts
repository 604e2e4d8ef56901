import { createRecentSet } from '../../primitives/recentSet.ts'
import type { Clock } from '../../system/clock.ts'

/** Datagrams handled per second, as each costs a signature and a recovery. */
export interface PacketBudget {
  /** Whether a datagram may be handled; counts it. */
  allows(ip: string): boolean
  /** Notes an address whose node has answered: others cannot use up its share. */
  know(ip: string): void
}

/** Datagrams per second of all that are known, and as many of all others. */
const perSecond = 200
/** Datagrams per second of one source: several nodes may have one address. */
const perSource = 100
const knownSources = 4096

/** One network of IPv6 is one source, as anyone who has one has all of its addresses. */
const sourceOf = (ip: string) => (ip.includes(':') ? ip.split(':').slice(0, 4).join(':') : ip)

export function createPacketBudget(clock: Clock): PacketBudget {
  const known = createRecentSet<string>(knownSources)
  let window = { second: Number.NaN, known: 0, others: 0, bySource: new Map<string, number>() }

  return {
    allows(ip) {
      const second = Math.floor(clock.now() / 1000)
      if (window.second !== second) window = { second, known: 0, others: 0, bySource: new Map() }
      const isKnown = known.has(sourceOf(ip))
      const kind = isKnown ? 'known' : 'others'
      if (window[kind] >= perSecond) return false
      const count = window.bySource.get(sourceOf(ip)) ?? 0
      if (count >= perSource) return false
      window.bySource.set(sourceOf(ip), count + 1)
      window[kind]++
      return true
    },
    know: (ip) => known.add(sourceOf(ip)),
  }
}
