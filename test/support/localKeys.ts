import { createLocalKey, type LocalKey } from '../../src/keys/nodeIdentity.ts'
import {
  type DiscoveryMessage,
  type EncodedPacket,
  encodePacket as encodePacketWith,
} from '../../src/net/discv4/packet.ts'
import { encodeRecord as encodeRecordWith } from '../../src/net/enr.ts'
import { agreeWith } from '../../src/net/rlpx/agreeWith.ts'
import type { Agreeing } from '../../src/net/rlpx/ecies.ts'
import {
  type Agreement,
  initiate as initiateWith,
  type Random,
  respond as respondWith,
} from '../../src/net/rlpx/handshake.ts'
import type { RlpItem } from '../../src/primitives/rlp.ts'

// What takes as long as the key takes, by private keys that are here: at once.

function agreed<T>(key: LocalKey, work: Agreeing<T>): T {
  let result: { readonly value: T } | undefined
  agreeWith(
    key,
    work,
    (value) => {
      result = { value }
    },
    () => {},
  )
  return result!.value
}

/** A handshake that was started. */
export interface LocalInitiation {
  readonly auth: Uint8Array
  finish(data: Uint8Array): Agreement | undefined
}

export function initiate(privateKey: Uint8Array, remoteId: Uint8Array, random: Random): LocalInitiation {
  const key = createLocalKey(privateKey)
  const { auth, finish } = agreed(key, initiateWith(key.publicKey, remoteId, random))
  return { auth, finish: (data) => agreed(key, finish(data)) }
}

export function respond(privateKey: Uint8Array, data: Uint8Array, random: Random): Agreement | undefined {
  return agreed(createLocalKey(privateKey), respondWith(data, random))
}

export function encodePacket(message: DiscoveryMessage, privateKey: Uint8Array): EncodedPacket {
  let encoded: EncodedPacket | undefined
  encodePacketWith(message, createLocalKey(privateKey), (packet) => {
    encoded = packet
  })
  return encoded!
}

export function encodeRecord(seq: bigint, entries: ReadonlyMap<string, RlpItem>, privateKey: Uint8Array): Uint8Array {
  let encoded: Uint8Array | undefined
  encodeRecordWith(seq, entries, createLocalKey(privateKey), (record) => {
    encoded = record
  })
  return encoded!
}
