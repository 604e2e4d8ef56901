import { type NodeKey, SigningRefused, type ToSign } from '../../keys/nodeIdentity.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'

export interface SignRequestsParts {
  readonly key: NodeKey
  readonly clock: Clock
  readonly log: Logger
  /** Whether a signature would still be used. */
  isWanted(id: number): boolean
  onSigned(id: number, signature: Uint8Array): void
}

/** What a machine wants to have signed by a key that is elsewhere. */
export interface SignRequests {
  ask(id: number, what: ToSign): void
}

/** Milliseconds after which a key that did not answer is asked again. */
const retryAfter = 1000
/** Milliseconds of waiting after which that is said. */
const patience = 2000
const warnEvery = 60_000

/**
 * Asks until there is an answer, or the machine has gone on without it. Nobody waits for the key: a validator whose key does not answer
 * is one that says nothing.
 */
class KeyRequests implements SignRequests {
  private readonly parts: SignRequestsParts
  /** Since when there was no answer. */
  private silentSince: number | undefined
  private warnedAt = Number.NEGATIVE_INFINITY
  private answeredAt = Number.NEGATIVE_INFINITY

  constructor(parts: SignRequestsParts) {
    this.parts = parts
  }

  private onAnswer(): void {
    this.answeredAt = this.parts.clock.now()
    if (this.silentSince === undefined) return
    const seconds = Math.round((this.parts.clock.now() - this.silentSince) / 1000)
    this.silentSince = undefined
    if (this.warnedAt === Number.NEGATIVE_INFINITY) return
    this.warnedAt = Number.NEGATIVE_INFINITY
    this.parts.log.info({ seconds }, 'the key of this validator answers again, after {seconds} s')
  }

  private onSilence(askedAt: number): void {
    const now = this.parts.clock.now()
    // Of a question before that, the key has come back meanwhile.
    if (askedAt <= this.answeredAt) return
    this.silentSince ??= askedAt
    if (now - this.silentSince < patience || Math.abs(now - this.warnedAt) < warnEvery) return
    this.warnedAt = now
    this.parts.log.warn(
      { seconds: Math.round((now - this.silentSince) / 1000) },
      'the key of this validator has not answered for {seconds} s: nothing is signed until it does; the other validators go on without this one',
    )
  }

  readonly ask: SignRequests['ask'] = (id, what) => {
    const { key } = this.parts
    if (key.kind === 'local') throw new TypeError('a key that is here signs at once')
    const askedAt = this.parts.clock.now()
    key.sign(what).then(
      (signature) => {
        this.onAnswer()
        this.parts.onSigned(id, signature)
      },
      (error: unknown) => {
        if (error instanceof SigningRefused) {
          this.onAnswer()
          this.parts.log.error({ reason: error.message }, 'the key of this validator refuses to sign: {reason}')
          return
        }
        this.onSilence(askedAt)
        this.parts.clock.after(retryAfter, () => {
          if (this.parts.isWanted(id)) this.ask(id, what)
        })
      },
    )
  }
}

export function createSignRequests(parts: SignRequestsParts): SignRequests {
  return new KeyRequests(parts)
}
