import { emptyBytes, equalBytes } from '../primitives/bytes.ts'
import { toBase64 } from '../privacy/enclave/base64.ts'
import { distinctKeys, groupIdOf } from '../privacy/enclave/groupId.ts'
import { refusals } from './fault.ts'
import { legacyGroup } from './group.ts'
import { allOrFirstError, type Groups } from './groups.ts'
import type { ManagerStore } from './managerStore.ts'
import { encodePayload, keyLength, type SealedPayload } from './payload.ts'
import { forRecipient, type Pushing } from './pushing.ts'
import type { Quotas } from './quotas.ts'
import { hashPayload, type Sealing } from './sealing.ts'

/** An opened payload. */
export interface OpenedPayload {
  readonly message: Uint8Array
  readonly sender: Uint8Array
  readonly privacyGroupId: Uint8Array
}

/** Payloads: sealed here, handed to others, taken from others. */
export interface Payloads {
  /** Resolves with the key when this manager and those of all recipients have stored the payload. */
  send(
    message: Uint8Array,
    from: Uint8Array,
    to: { readonly recipients: readonly Uint8Array[] } | { readonly privacyGroupId: Uint8Array },
  ): Promise<Uint8Array>
  /** Opens a payload for one of our keys, or for any of them. */
  receive(hash: Uint8Array, reader?: Uint8Array): OpenedPayload
  /** Stores a payload that another manager has sent; resolves with its key when it is on disk. */
  accept(payload: SealedPayload): Promise<Uint8Array>
  /** The stored payload, cut down for a key that takes part in it. */
  forKey(hash: Uint8Array, key: Uint8Array): SealedPayload | undefined
  /** All payloads in which a key takes part, each cut down for it, some at a time. */
  allFor(key: Uint8Array): AsyncIterable<readonly SealedPayload[]>
}

export interface PayloadsPorts {
  readonly store: ManagerStore
  readonly pushing: Pushing
  readonly sealing: Sealing
  readonly groups: Groups
  readonly quotas: Quotas
  /** Whether this manager has to do with a key at all. */
  isAllowed(key: Uint8Array): boolean
  /** A payload has come from another manager. */
  onArrival(hash: Uint8Array): void
}

/** Payloads that are read from disk at once. */
const pageSize = 100

/** Sealed payloads as they are stored, and their recipients. */
class StoredPayloads implements Payloads {
  private readonly ports: PayloadsPorts

  constructor(ports: PayloadsPorts) {
    this.ports = ports
  }

  /** Refuses a payload of a group that is known here, and which its sender or recipient does not belong to. */
  private checkMembership({ sender, recipients, privacyGroupId }: SealedPayload): void {
    const members = this.ports.store.group(privacyGroupId)?.members
    if (!members) return
    for (const key of [sender, ...recipients])
      if (!members.some((member) => equalBytes(member, key))) throw refusals.notMember()
  }

  /** The boxes that one of our keys opens: with anything tampered with, none does. */
  private openable(payload: SealedPayload): SealedPayload {
    const fitting = payload.boxes.flatMap((_, at) => (this.ports.sealing.open(payload, at) ? at : []))
    if (fitting.length === 0) throw refusals.invalid('none of our keys opens it')
    return {
      ...payload,
      boxes: fitting.map((at) => payload.boxes[at]!),
      recipients: fitting.map((at) => payload.recipients[at]!),
    }
  }

  readonly send: Payloads['send'] = async (message, from, to) => {
    const pair = this.ports.sealing.own(from)
    if (!pair) throw refusals.foreignKey(toBase64(from))
    const group = 'privacyGroupId' in to ? this.ports.groups.require(to.privacyGroupId) : undefined
    const named = group ? group.members : 'recipients' in to ? to.recipients : []
    if (group && !group.members.some((member) => equalBytes(member, from))) throw refusals.notMember()
    const recipients = distinctKeys([pair.publicKey, ...named])
    for (const key of recipients) if (!this.ports.sealing.own(key)) this.ports.pushing.partyOf(key)
    const legacy = group ? undefined : legacyGroup(recipients)
    const groupId = 'privacyGroupId' in to ? to.privacyGroupId : groupIdOf(recipients)
    const payload = this.ports.sealing.seal(message, pair, recipients, groupId)
    const hash = hashPayload(payload)
    const others = recipients.flatMap((key, at) => (this.ports.sealing.own(key) ? [] : at))
    const stored = this.ports.store.write((writer) => writer.putPayload(hash, payload))
    try {
      await allOrFirstError([
        stored,
        ...others.map((at) =>
          this.ports.pushing.pushPayload(this.ports.pushing.partyOf(recipients[at]!), forRecipient(payload, at)),
        ),
      ])
    } catch (error) {
      // Nobody gets the key, so that what others have stored stays unread; here nothing is left.
      await this.ports.store.write((writer) => writer.removePayload(hash)).catch(() => {})
      throw error
    }
    if (legacy && !this.ports.store.group(groupId))
      await this.ports.store.write((writer) => {
        if (!writer.group(groupId)) writer.putGroup(legacy)
      })
    return hash
  }

  readonly receive: Payloads['receive'] = (hash, reader) => {
    const payload = this.ports.store.payload(hash)
    for (let at = 0; payload && at < payload.boxes.length; at++) {
      const message = this.ports.sealing.open(payload, at, reader)
      if (message) return { message, sender: payload.sender, privacyGroupId: payload.privacyGroupId }
    }
    // Whether it is not here or not for this key: the answer is the same, so that nobody learns which.
    throw refusals.unknownPayload(toBase64(hash))
  }

  readonly accept: Payloads['accept'] = async (sent) => {
    if (sent.privacyGroupId.length !== keyLength) throw refusals.invalid('it names no privacy group')
    if (!this.ports.isAllowed(sent.sender)) throw refusals.notAllowed()
    const payload = this.openable(sent)
    this.checkMembership(payload)
    const hash = hashPayload(payload)
    const before = this.ports.store.payload(hash)
    if (before && !isSame(before, payload)) throw refusals.otherPayload()
    if (before && merge(before, payload) === before) return hash
    // The box of another of our keys needs no room worth counting.
    const room = before ? undefined : this.ports.quotas.reserve(payload.sender, encodePayload(payload).length)
    try {
      await this.ports.store.write((writer) => {
        const current = writer.payload(hash)
        if (!current || isSame(current, payload)) writer.putPayload(hash, current ? merge(current, payload) : payload)
        room?.write(writer)
      })
    } catch (error) {
      room?.release()
      throw error
    }
    if (!before) this.ports.onArrival(hash)
    return hash
  }

  readonly forKey: Payloads['forKey'] = (hash, key) => {
    const payload = this.ports.store.payload(hash)
    return payload && cutFor(payload, key)
  }

  async *allFor(key: Uint8Array): ReturnType<Payloads['allFor']> {
    let last: Uint8Array = emptyBytes
    for (;;) {
      const page = this.ports.store.payloadsAfter(last, pageSize)
      if (page.length === 0) return
      const fitting = page.flatMap(([, payload]) => cutFor(payload, key) ?? [])
      if (fitting.length > 0) yield fitting
      last = page.at(-1)![0]
      // Others have their turn.
      await new Promise(setImmediate)
    }
  }
}

export function createPayloads(ports: PayloadsPorts): Payloads {
  return new StoredPayloads(ports)
}

function cutFor(payload: SealedPayload, key: Uint8Array): SealedPayload | undefined {
  const at = payload.recipients.findIndex((recipient) => equalBytes(recipient, key))
  if (at >= 0) return forRecipient(payload, at)
  return equalBytes(payload.sender, key) ? payload : undefined
}

function isSame(a: SealedPayload, b: SealedPayload): boolean {
  return (
    equalBytes(a.sender, b.sender) &&
    equalBytes(a.nonce, b.nonce) &&
    equalBytes(a.recipientNonce, b.recipientNonce) &&
    equalBytes(a.privacyGroupId, b.privacyGroupId)
  )
}

/** Adds the boxes of recipients that are missing; the same object if none is. */
function merge(stored: SealedPayload, more: SealedPayload): SealedPayload {
  const missing = more.recipients.flatMap((key, at) => (stored.recipients.some((r) => equalBytes(r, key)) ? [] : at))
  if (missing.length === 0) return stored
  return {
    ...stored,
    boxes: [...stored.boxes, ...missing.map((at) => more.boxes[at]!)],
    recipients: [...stored.recipients, ...missing.map((at) => more.recipients[at]!)],
  }
}
