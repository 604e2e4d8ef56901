import { keyOf } from '../primitives/bytes.ts'
import { toBase64 } from '../privacy/enclave/base64.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { isAddressOf } from './addressOfParty.ts'
import { refusals } from './fault.ts'
import type { Groups } from './groups.ts'
import type { KeyPair } from './keys.ts'
import type { Parties } from './parties.ts'
import { encodePayload } from './payload.ts'
import type { Payloads } from './payloads.ts'
import type { PeerClient } from './peerClient.ts'
import type { Pushing } from './pushing.ts'

/** Sends payloads again to those who have lost them, and asks others for what was lost here. */
export interface Resending {
  /** Pushes all groups and payloads of a key to the manager that has the key, in the background; for others than that one now and then. */
  pushAll(key: Uint8Array, isOwner: boolean): void
  /**
   * The same in batches, for a Tessera that recovers; resolves with how many there were. Refused while it goes on, and to anybody but
   * the manager that has the key for a while after it: each time costs this manager and that one all that they share.
   */
  pushBatches(key: Uint8Array, batchSize: number, isOwner: boolean): Promise<number>
  /** Whether an address is that of the manager that has the key: others would learn who takes part in a payload. */
  isFrom(key: Uint8Array, address: string | undefined): Promise<boolean>
  /** Asks a manager for all payloads of our keys; false if it does not send them. */
  ask(url: string): Promise<boolean>
}

export interface ResendingPorts {
  readonly keys: readonly KeyPair[]
  readonly parties: Parties
  readonly payloads: Payloads
  readonly groups: Groups
  readonly pushing: Pushing
  readonly client: PeerClient
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
}

/** Payloads of a batch, if the other one does not say. */
const maxBatch = 100
/** Milliseconds before all is sent again because somebody asks who is not at the address of the manager that gets it. */
const pauseForOthers = 600_000
/** Milliseconds that a manager may take to send all payloads: a Tessera answers only then. */
const askTimeout = 600_000

/** Payloads on their way to a member that has lost its own. */
class ResendQueue implements Resending {
  private readonly ports: ResendingPorts
  private readonly underWay = new Set<string>()
  /** When all payloads of a key were sent last; only of keys whose manager is known. */
  private readonly sentAt = new Map<string, number>()

  constructor(ports: ResendingPorts) {
    this.ports = ports
  }

  private mayBegin(name: string, isOwner: boolean): boolean {
    if (this.underWay.has(name)) return false
    return isOwner || this.ports.clock.now() - (this.sentAt.get(name) ?? -Infinity) >= pauseForOthers
  }

  private ended(name: string): void {
    this.underWay.delete(name)
    this.sentAt.set(name, this.ports.clock.now())
  }

  private async pushOneByOne(key: Uint8Array): Promise<void> {
    const party = this.ports.pushing.partyOf(key)
    await this.ports.groups.pushAll(key)
    let count = 0
    for await (const page of this.ports.payloads.allFor(key))
      for (const payload of page) {
        await this.ports.pushing.pushPayload(party, payload)
        count++
      }
    this.ports.log.info({ url: party.url, key: toBase64(key), count }, 'sent payloads again')
  }

  private async pushInBatches(key: Uint8Array, batchSize: number): Promise<number> {
    const { url } = this.ports.pushing.partyOf(key)
    const size = batchSize >= 1 && batchSize <= maxBatch ? Math.floor(batchSize) : maxBatch
    let total = 0
    for await (const page of this.ports.payloads.allFor(key))
      for (let from = 0; from < page.length; from += size) {
        const encodedPayloads = page.slice(from, from + size).map((payload) => toBase64(encodePayload(payload)))
        const body = new TextEncoder().encode(JSON.stringify({ encodedPayloads }))
        const { status } = await this.ports.client.call(url, 'pushBatch', { body, type: 'application/json' })
        if (status !== 200) throw refusals.unreachable(new Error(`${url}pushBatch: ${status}`))
        total += encodedPayloads.length
      }
    return total
  }

  readonly pushAll: Resending['pushAll'] = (key, isOwner) => {
    this.ports.pushing.partyOf(key)
    const name = keyOf(key)
    if (!this.mayBegin(name, isOwner)) return
    this.underWay.add(name)
    this.pushOneByOne(key)
      .catch((error: unknown) =>
        this.ports.log.warn({ key: toBase64(key), reason: String(error) }, 'payloads were not sent again'),
      )
      .finally(() => this.ended(name))
  }

  readonly pushBatches: Resending['pushBatches'] = async (key, batchSize, isOwner) => {
    this.ports.pushing.partyOf(key)
    const name = keyOf(key)
    if (!this.mayBegin(name, isOwner)) throw refusals.alreadySending()
    this.underWay.add(name)
    try {
      return await this.pushInBatches(key, batchSize)
    } finally {
      this.ended(name)
    }
  }

  readonly isFrom: Resending['isFrom'] = (key, address) => isAddressOf(this.ports.parties.find(key), address)

  readonly ask: Resending['ask'] = async (url) => {
    let hasSent = true
    for (const { name } of this.ports.keys) {
      const body = new TextEncoder().encode(JSON.stringify({ type: 'ALL', publicKey: name }))
      try {
        const { status } = await this.ports.client.call(url, 'resend', {
          body,
          type: 'application/json',
          timeout: askTimeout,
        })
        if (status !== 200) throw new Error(`status ${status}`)
      } catch (error) {
        this.ports.log.warn({ url, key: name, reason: String(error) }, 'a manager did not send payloads again')
        hasSent = false
      }
    }
    return hasSent
  }
}

export function createResending(ports: ResendingPorts): Resending {
  return new ResendQueue(ports)
}
