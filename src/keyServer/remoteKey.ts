import type { Agent } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { recoverSigner } from '../consensus/recoverSeal.ts'
import { createHttpClient, type HttpAnswer, type HttpClient } from '../http/client/httpClient.ts'
import { type HeldKey, SigningRefused, type ToSign } from '../keys/nodeIdentity.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { curve, publicKeyToAddress } from '../primitives/secp256k1.ts'
import type { Logger } from '../system/logger.ts'
import { KeyServerError } from './fault.ts'
import {
  type AgreeAnswer,
  type AgreeRequest,
  type KeyAnswer,
  paths,
  type Refusal,
  type SignAnswer,
  type SignRequest,
} from './protocol.ts'

export interface KeyServerPlace {
  readonly url: URL
  /** Makes connections to https addresses. */
  readonly tls: Agent | undefined
  /** Milliseconds in which the server has to be reached at the start. */
  readonly patience?: number
}

/** Milliseconds that an answer may take; a round of a validator lasts at least a second, and what is late is asked again. */
const timeout = 5000
const maxAnswer = 4096
const defaultPatience = 30_000
const retryAfter = 1000
const warnEvery = 60_000

/** An error that stands for several addresses of a name has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || (code ?? String(error))
}

class KeyClient {
  private readonly client: HttpClient
  private readonly url: URL
  private readonly log: Logger
  private warnedAt = Number.NEGATIVE_INFINITY

  constructor({ url, tls }: KeyServerPlace, log: Logger) {
    this.client = createHttpClient({}, tls)
    this.url = url
    this.log = log
  }

  /** What goes wrong is said here: whoever waits for a packet or a handshake only sees that nothing comes. */
  private warn(reason: string): void {
    if (performance.now() - this.warnedAt < warnEvery) return
    this.warnedAt = performance.now()
    this.log.warn({ url: this.url.origin, reason }, 'the key server at {url} does not answer: {reason}')
  }

  private async request(path: string, body: object | undefined): Promise<HttpAnswer> {
    const url = new URL(path, this.url)
    if (body === undefined) return this.client.ask(url, { method: 'GET' }, { timeout, maxAnswer })
    const headers = { 'content-type': 'application/json' }
    return this.client.ask(url, { method: 'POST', headers, body: JSON.stringify(body) }, { timeout, maxAnswer })
  }

  async ask<T>(path: string, body?: object): Promise<T> {
    let answer: HttpAnswer
    try {
      answer = await this.request(path, body)
    } catch (error) {
      this.warn(reasonOf(error))
      throw error
    }
    const text = answer.body.toString()
    if (answer.status === 200) return JSON.parse(text) as T
    if (answer.status === 400 || answer.status === 409) throw new SigningRefused((JSON.parse(text) as Refusal).error)
    this.warn(`status ${answer.status}`)
    throw new Error(`status ${answer.status}`)
  }

  readonly close = (): void => this.client.close()
}

/** Asks a key server whose key it has, and uses it from then on. */
export async function openRemoteKey(place: KeyServerPlace, log: Logger): Promise<HeldKey> {
  const client = new KeyClient(place, log)
  const fault = (reason: string, cause?: unknown) =>
    new KeyServerError({ code: 'NO_SERVER', url: place.url.origin, reason }, cause)
  const publicKey = await readPublicKey(client, place.patience ?? defaultPatience).catch((error: Error) => {
    client.close()
    throw fault(reasonOf(error), error)
  })
  const address = publicKeyToAddress(publicKey)

  async function sign({ kind, digest, content }: ToSign): Promise<Uint8Array> {
    const { signature: text } = await client.ask<SignAnswer>(paths.sign, {
      kind,
      content: toHex(content()),
    } satisfies SignRequest)
    const signature = fromHex(text)
    const signer = signature.length === 65 ? recoverSigner(digest, signature) : undefined
    // Another key behind the same address, say after a restart: what others would not take is not sent.
    if (!signer || !equalBytes(signer, address)) {
      const error = fault(`it does not sign with key ${toHex(address)}`)
      log.error({ error: error.message }, '{error}')
      throw error
    }
    return signature
  }

  async function agree(other: Uint8Array): Promise<Uint8Array> {
    const { secret } = await client.ask<AgreeAnswer>(paths.agree, {
      publicKey: toHex(other),
    } satisfies AgreeRequest)
    return fromHex(secret)
  }

  return { kind: 'remote', isGuarded: true, publicKey, address, sign, agree, close: client.close }
}

/** A machine may start the node before its key server. */
async function readPublicKey(client: KeyClient, patience: number): Promise<Uint8Array> {
  for (const until = performance.now() + patience; ; ) {
    try {
      const publicKey = fromHex((await client.ask<KeyAnswer>(paths.key)).publicKey)
      if (publicKey.length === 64 && curve.isPublicKey(publicKey)) return publicKey
      throw new Error('it names no public key')
    } catch (error) {
      if (performance.now() + retryAfter > until) throw error
      await delay(retryAfter)
    }
  }
}
