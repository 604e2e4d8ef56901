import { createBftReader } from '../../src/consensus/bft/bftReader.ts'
import type { BftCrypto } from '../../src/consensus/bft/machine.ts'
import type { BftKind, BftMessage } from '../../src/consensus/bft/messages.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { createMessageReading, type MessageReading } from '../../src/consensus/bft/readMessage.ts'

/** A value, or what was thrown instead of it. */
type Known<T> = { readonly value: T } | { readonly error: unknown }

function knownOf<T>(read: () => T): Known<T> {
  try {
    return { value: read() }
  } catch (error) {
    return { error }
  }
}

function open<T>(known: Known<T>): T {
  if ('error' in known) throw known.error
  return known.value
}

interface Entry {
  readonly kind: BftKind
  readonly maxListed: number
  readonly message: Known<BftMessage>
}

/**
 * The node's own reading, once for all nodes of a network: it depends on nothing but the bytes, which pass from one to
 * the other as the same array.
 */
export function createSharedReading(protocol: BftProtocol, crypto: BftCrypto): MessageReading {
  const own = createMessageReading(protocol, createBftReader(protocol, crypto))
  const keys = new WeakMap<Uint8Array, string>()
  const entries = new WeakMap<Uint8Array, Entry[]>()

  function entriesOf(data: Uint8Array): Entry[] {
    let known = entries.get(data)
    if (!known) entries.set(data, (known = []))
    return known
  }

  /** What was read in full of this kind, whatever the limit was. */
  function messageIn(kind: BftKind, data: Uint8Array): BftMessage | undefined {
    for (const entry of entries.get(data) ?? [])
      if (entry.kind === kind && 'value' in entry.message) return entry.message.value
    return undefined
  }

  return {
    keyOf(kind, data) {
      let key = keys.get(data)
      // The same array always comes under the same code.
      if (key === undefined) keys.set(data, (key = own.keyOf(kind, data)))
      return key
    },
    heightOf: (kind, data) => messageIn(kind, data)?.signed.payload.height ?? own.heightOf(kind, data),
    roundOf: own.roundOf,
    authorOf: (kind, data) => messageIn(kind, data)?.signed.author ?? own.authorOf(kind, data),
    read(kind, data, maxListed) {
      const known = entriesOf(data)
      let entry = known.find((one) => one.kind === kind && one.maxListed === maxListed)
      if (!entry) {
        entry = { kind, maxListed, message: knownOf(() => own.read(kind, data, maxListed)) }
        known.push(entry)
      }
      return open(entry.message)
    },
  }
}
