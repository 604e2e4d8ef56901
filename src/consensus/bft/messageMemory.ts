import { type Address, includesBytes } from '../../primitives/bytes.ts'
import { createRecentMap, type RecentMap } from '../../primitives/recentMap.ts'
import type { RawMessage } from './futureMessages.ts'
import type { BftEffect, BftMachineParts } from './machine.ts'
import type { BftKind, BftMessage } from './messages.ts'

/** Which messages of others came lately, and to whom this node has passed them on. */
export interface MessageMemory {
  /** Whether a message came before; if so, it is passed on again where that helps. */
  isAgain(kind: BftKind, key: string, raw: RawMessage, now: number): boolean
  /** The same without passing anything on. */
  isKnown(kind: BftKind, key: string): boolean
  note(kind: BftKind, key: string): void
  /** Passes a message on before it is judged: what this node cannot use another may. */
  gossip(raw: RawMessage, message: BftMessage, key: string, now: number): void
}

/** A message of another that this node has passed on. */
interface Passed {
  readonly author: Address
  readonly mayWait: boolean
  /** When it was passed on last. */
  at: number
  /** Those who have it: they have sent it. */
  readonly holders: Address[]
}

export interface MessageMemoryOptions extends Pick<BftMachineParts, 'limits' | 'requestTimeoutSeconds'> {
  readonly emit: (effect: BftEffect) => void
}

function perKind<T>(create: () => T): Readonly<Record<BftKind, T>> {
  return { proposal: create(), prepare: create(), commit: create(), roundChange: create() }
}

class RecentMessages implements MessageMemory {
  private readonly emit: MessageMemoryOptions['emit']
  private readonly again: number
  // By kind: the same bytes under another code are another message.
  private readonly seen: Readonly<Record<BftKind, RecentMap<string, true>>>
  private readonly passed: Readonly<Record<BftKind, RecentMap<string, Passed>>>

  constructor({ limits, requestTimeoutSeconds, emit }: MessageMemoryOptions) {
    this.emit = emit
    this.again = requestTimeoutSeconds * 500
    this.seen = perKind(() => createRecentMap(limits.duplicateMessageLimit))
    this.passed = perKind(() => createRecentMap(limits.gossipedHistoryLimit))
  }

  readonly isAgain: MessageMemory['isAgain'] = (kind, key, raw, now) => {
    if (!this.seen[kind].use(key)) return false
    const passed = this.passed[kind].use(key)
    if (passed) this.passOn(raw, passed, now)
    return true
  }

  readonly isKnown: MessageMemory['isKnown'] = (kind, key) => this.seen[kind].get(key) === true

  readonly note: MessageMemory['note'] = (kind, key) => this.seen[kind].set(key, true)

  readonly gossip: MessageMemory['gossip'] = (raw, message, key, now) => {
    const { author, payload } = message.signed
    const known = this.passed[message.kind].use(key)
    // Proposals are long, and their authors have sent them to most; whatever comes later is waited for.
    const mayWait = message.kind === 'proposal' && payload.round === 0
    const passed = known ?? { author, mayWait, at: Number.NEGATIVE_INFINITY, holders: [author] }
    if (!known) this.passed[message.kind].set(key, passed)
    this.passOn(raw, passed, now)
  }

  /**
   * Authors repeat what they are not answered to: it may have been lost behind this node, so it goes again to all who have not
   * shown that they have it. The copies that come at once from everyone are no repetition.
   */
  private passOn({ code, data, from }: RawMessage, passed: Passed, now: number): void {
    const { author, mayWait, holders } = passed
    if (from && !includesBytes(holders, from)) holders.push(from)
    if (Math.abs(now - passed.at) < this.again) return
    passed.at = now
    this.emit({ type: 'gossip', code, data, author, mayWait, except: [...holders] })
  }
}

export function createMessageMemory(options: MessageMemoryOptions): MessageMemory {
  return new RecentMessages(options)
}
