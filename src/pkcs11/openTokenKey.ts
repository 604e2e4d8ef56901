import type { HeldKey, SignedKind } from '../keys/nodeIdentity.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { publicKeyToAddress } from '../primitives/secp256k1.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { TokenError } from './fault.ts'
import type { FromToken, TokenRequest, Trouble } from './messages.ts'
import { startTokenProcess, type TokenProcess } from './tokenProcess.ts'
import type { KeyPlace } from './tokenSigner.ts'

export interface TokenKeyParts {
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds in which the token has to be there at the start. */
  readonly patience?: number
}

/** A key in a token. */
export interface TokenKey extends HeldKey {
  /** Signs what the caller has made itself. */
  signDigest(digest: Hash32): Promise<Uint8Array>
}

interface Job {
  readonly request: TokenRequest
  resolve(bytes: Uint8Array): void
  reject(error: Error): void
}

/** Why a process ends that calls the library. */
interface End {
  readonly reason: string
  readonly trouble: Trouble
}

const defaultPatience = 30_000
/** Milliseconds that a process may take to begin, which includes to log in and to sign; and a call. */
const limits = { open: 30_000, call: 10_000 }
/** Milliseconds between attempts to reach a token. */
const retryAfter = 2000
const warnEvery = 60_000
/** Packets and handshakes of peers that may wait: a token may make ten signatures a second, and blocks need some of them. */
const maxWaiting = 64

const isOfPeers: Readonly<Record<SignedKind, boolean>> = {
  packet: true,
  record: true,
  ibft2: false,
  qbft: false,
  'ibft2-seal': false,
  'qbft-seal': false,
  clique: false,
}

/** Asks a token, one thing at a time; blocks before peers. A token that fails is given up with its process, and asked by another one. */
class TokenAsker {
  private readonly place: KeyPlace
  private readonly parts: TokenKeyParts
  /** Of blocks, and of peers. */
  private readonly waiting: readonly [Job[], Job[]] = [[], []]
  private process: TokenProcess | undefined
  private isReady = false
  private isClosed = false
  private current: Job | undefined
  private publicKey: Uint8Array | undefined
  private cancelLimit = () => {}
  private cancelRestart = () => {}
  /** Why the process is about to end. */
  private ending: End | undefined
  /** Why there is no answer, and since when. */
  private away: { readonly since: number; readonly reason: string; warnedAt: number } | undefined
  private onStart: ((result: Uint8Array | End) => void) | undefined

  constructor(place: KeyPlace, parts: TokenKeyParts) {
    this.place = place
    this.parts = parts
  }

  /** Resolves with the public key; rejects with a `TokenError` where waiting is of no use, or was. */
  async start(): Promise<Uint8Array> {
    const until = this.parts.clock.now() + (this.parts.patience ?? defaultPatience)
    for (;;) {
      const result = await new Promise<Uint8Array | End>((done) => {
        this.onStart = done
        this.begin()
      })
      if (result instanceof Uint8Array) return result
      const { reason, trouble } = result
      if (trouble !== 'passing' || this.parts.clock.now() + retryAfter > until) {
        this.isClosed = true
        throw new TokenError({ code: 'AWAY', reason })
      }
      await new Promise<void>((done) => this.parts.clock.after(retryAfter, done))
    }
  }

  private begin(): void {
    this.ending = undefined
    const process = startTokenProcess({
      onMessage: (message) => this.onMessage(message),
      onExit: (how) => this.onExit(`the process that calls ${this.place.library} ended with ${how}`),
    })
    this.process = process
    process.send({ kind: 'open', place: this.place })
    this.limit(limits.open)
  }

  /** Ends the process if it does not answer in time. */
  private limit(time: number): void {
    this.cancelLimit()
    this.cancelLimit = this.parts.clock.after(time, () =>
      this.end(`the token has not answered for ${time / 1000} s`, 'passing'),
    )
  }

  private end(reason: string, trouble: Trouble): void {
    this.ending ??= { reason, trouble }
    this.process?.kill()
  }

  private onMessage(message: FromToken): void {
    this.cancelLimit()
    if (message.kind === 'unusable') this.ending = message
    else if (message.kind === 'open') this.onOpen(message.publicKey)
    else {
      const job = this.current
      this.current = undefined
      if (message.kind === 'done') job?.resolve(message.bytes)
      else job?.reject(this.failed(message.reason))
      this.give()
    }
  }

  private failed(reason: string): TokenError {
    return new TokenError({ code: 'AWAY', reason })
  }

  private onOpen(publicKey: Uint8Array): void {
    if (this.publicKey && !equalBytes(publicKey, this.publicKey)) {
      this.end(`key "${this.place.label}" of the token is another one than before`, 'operator')
      return
    }
    this.publicKey = publicKey
    this.isReady = true
    if (this.away) {
      const seconds = Math.round((this.parts.clock.now() - this.away.since) / 1000)
      this.parts.log.info({ seconds }, 'the token with the key answers again, after {seconds} s')
      this.away = undefined
    }
    this.onStart?.(publicKey)
    this.onStart = undefined
    this.give()
  }

  private onExit(how: string): void {
    this.cancelLimit()
    this.process = undefined
    this.isReady = false
    const ended: End = this.ending ?? { reason: how, trouble: 'passing' }
    for (const job of [this.current, ...this.waiting.flatMap((jobs) => jobs.splice(0))])
      job?.reject(this.failed(ended.reason))
    this.current = undefined
    if (this.isClosed) return
    if (this.onStart) {
      const tell = this.onStart
      this.onStart = undefined
      tell(ended)
    } else this.restart(ended)
  }

  private restart({ reason, trouble }: End): void {
    const now = this.parts.clock.now()
    const isFirst = this.away === undefined
    this.away = { since: this.away?.since ?? now, reason, warnedAt: this.away?.warnedAt ?? Number.NEGATIVE_INFINITY }
    if (trouble === 'pin') {
      this.parts.log.error(
        { reason },
        'the key cannot be used any more: {reason}. The token is not asked again, since tokens lock themselves: correct the file of the PIN, and start again',
      )
      return
    }
    if (Math.abs(now - this.away.warnedAt) >= warnEvery) {
      this.away.warnedAt = now
      this.parts.log.warn(
        { reason },
        'nothing is signed while the token with the key does not answer: {reason}; it is asked again and again',
      )
    }
    // A session that has died is opened anew at once.
    this.cancelRestart = this.parts.clock.after(isFirst ? 0 : retryAfter, () => this.begin())
  }

  private give(): void {
    if (!this.isReady || this.current) return
    const [ofBlocks, ofPeers] = this.waiting
    const job = ofBlocks.shift() ?? ofPeers.shift()
    if (!job) return
    this.current = job
    this.limit(limits.call)
    this.process!.send(job.request)
  }

  ask(request: TokenRequest, ofPeers: boolean): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (!this.isReady) throw this.failed(this.away?.reason ?? 'the token is not in use any more')
      const jobs = this.waiting[ofPeers ? 1 : 0]
      if (ofPeers && jobs.length >= maxWaiting) throw this.failed('the token has too much to do for peers')
      jobs.push({ request, resolve, reject })
      this.give()
    })
  }

  close(): void {
    this.isClosed = true
    this.cancelLimit()
    this.cancelRestart()
    this.process?.kill()
  }
}

/** Opens a key in a token; rejects with a `TokenError` if it cannot be used. */
export async function openTokenKey(place: KeyPlace, parts: TokenKeyParts): Promise<TokenKey> {
  const asker = new TokenAsker(place, parts)
  const publicKey = await asker.start()
  return {
    kind: 'remote',
    // A token signs whatever it is asked to: the record is the node's own.
    isGuarded: false,
    publicKey,
    address: publicKeyToAddress(publicKey),
    sign: ({ kind, digest }) => asker.ask({ kind: 'sign', digest }, isOfPeers[kind]),
    signDigest: (digest) => asker.ask({ kind: 'sign', digest }, false),
    agree: (other) => asker.ask({ kind: 'agree', publicKey: other }, true),
    close: () => asker.close(),
  }
}
