import type { Socket } from 'node:net'
import type { NodeKey } from '../../keys/nodeIdentity.ts'
import { concatBytes, emptyBytes } from '../../primitives/bytes.ts'
import { agreeWith } from './agreeWith.ts'
import { type Agreement, type Initiation, initiate, type Random, respond, type Secrets } from './handshake.ts'

export interface GreetingParts {
  readonly key: NodeKey
  readonly random: Random
  /** The public key that is called; undefined for who is called. */
  readonly remoteId: Uint8Array | undefined
  /** `rest` are bytes that came after the handshake. */
  onAgreed(secrets: Secrets, rest: Uint8Array): void
  /** Called later, where the key is elsewhere: a fault of the peer, or the key does not answer. */
  onFailed(error: unknown): void
}

/** The handshake on a socket: at once where the key is here, and when the key has answered where it is not. */
export interface Greeting {
  /** The socket is connected. */
  begin(): void
  /** Takes what has arrived; throws what is the peer's fault. */
  take(chunk: Uint8Array): void
}

class SocketGreeting implements Greeting {
  private readonly socket: Socket
  private readonly parts: GreetingParts
  private initiation: Initiation | undefined
  private early: Uint8Array = emptyBytes
  /** The key was asked and has not answered yet. */
  private isAgreeing = false

  constructor(socket: Socket, parts: GreetingParts) {
    this.socket = socket
    this.parts = parts
  }

  readonly begin: Greeting['begin'] = () => {
    const { key, remoteId, random, onFailed } = this.parts
    if (!remoteId) return
    const onReady = (initiation: Initiation) => {
      this.initiation = initiation
      this.socket.write(initiation.auth)
    }
    agreeWith(key, initiate(key.publicKey, remoteId, random), onReady, onFailed)
  }

  readonly take: Greeting['take'] = (chunk) => {
    this.early = this.early.length ? concatBytes(this.early, chunk) : chunk
    const { key, remoteId, random, onFailed } = this.parts
    // Who was called has nothing to say yet.
    if (this.isAgreeing || (remoteId && !this.initiation)) return
    const work = this.initiation ? this.initiation.finish(this.early) : respond(this.early, random)
    this.isAgreeing = key.kind === 'remote'
    agreeWith(key, work, this.onAgreed, onFailed)
    // What comes meanwhile need not be kept.
    if (this.isAgreeing) this.socket.pause()
  }

  private readonly onAgreed = (answer: Agreement | undefined): void => {
    if (this.isAgreeing) this.socket.resume()
    this.isAgreeing = false
    if (!answer) return
    if (answer.ack) this.socket.write(answer.ack)
    const rest = this.early.subarray(answer.used)
    this.early = emptyBytes
    this.parts.onAgreed(answer.secrets, rest)
  }
}

export function createGreeting(socket: Socket, parts: GreetingParts): Greeting {
  return new SocketGreeting(socket, parts)
}
