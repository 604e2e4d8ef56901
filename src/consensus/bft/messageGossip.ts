import { type Address, equalBytes, includesBytes, keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Clock } from '../../system/clock.ts'
import type { BftEffect, BftStatus } from './machine.ts'

/** Bytes from which on a message of others that may wait does so before it is passed on, and for which share of the time that a round has. */
const longMessage = 4096
const delayShare = 0.25
/** Blocks for which it does not wait any more on the way to a validator that lacked one, and pairs of validators to remember this of. */
const deafFor = 100
const maxDeaf = 1024

export interface MessageGossipParts {
  readonly clock: Clock
  /** The local validator. */
  readonly address: Address
  /** Validators of the height in progress. */
  readonly validators: () => readonly Address[]
  readonly status: () => BftStatus | undefined
  readonly send: (code: number, data: Uint8Array, to: (peer: Address) => boolean) => void
  /** Milliseconds of the first round. */
  readonly roundTime: number
}

/**
 * Passes messages of others on, so that validators need not all be connected. Most are, and the author has sent a message to all of
 * them: where each sends it to each at once, a block travels nine times between four. Long proposals of the first round wait until
 * those who have them have shown it by what they say; nothing else waits, and what waits is not dropped.
 */
export function createMessageGossip(
  parts: MessageGossipParts,
): (message: Extract<BftEffect, { type: 'gossip' }>) => void {
  const { clock, address, validators, status, send, roundTime } = parts
  /** Until which height long messages of an author are passed on to a validator at once: it did not have one in time. */
  const deafUntil = createRecentMap<string, bigint>(maxDeaf)

  /** Not at the same height at all nodes of a line, whose waits would add up to more than a round. */
  function deafTime(): bigint {
    const all = validators()
    const place = all.findIndex((one) => equalBytes(one, address)) + 1
    return BigInt(deafFor + Math.floor((deafFor * place) / (all.length + 1)))
  }

  return ({ code, data, author, mayWait, except }) => {
    const passOn = (to: readonly Address[]) => send(code, data, (peer) => includesBytes(to, peer))
    const others = validators().filter((one) => !includesBytes(except, one))
    const before = status()
    if (!mayWait || data.length < longMessage || !before || before.round > 0) {
      passOn(others)
      return
    }
    const pairOf = (one: Address) => keyOf(author) + keyOf(one)
    const isDeaf = (one: Address) => (deafUntil.use(pairOf(one)) ?? 0n) > before.height
    passOn(others.filter(isDeaf))
    clock.after(roundTime * delayShare, () => {
      const now = status()
      // If there is a block meanwhile, this node sends that to all who lack it.
      if (now?.height !== before.height) return
      const heard = now.heard()
      const silent = others.filter((one) => !includesBytes(heard, one) && !isDeaf(one))
      for (const one of silent) deafUntil.set(pairOf(one), before.height + deafTime())
      passOn(silent)
    })
  }
}
