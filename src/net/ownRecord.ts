import type { NodeKey } from '../keys/nodeIdentity.ts'
import { emptyBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { encodeRlp, type RlpItem } from '../primitives/rlp.ts'
import type { Clock } from '../system/clock.ts'
import type { Enode } from './enode.ts'
import { encodeRecord, endpointEntries } from './enr.ts'

/** This node's signed record. */
export interface OwnRecord {
  readonly seq: bigint
  readonly bytes: Uint8Array
}

/** Milliseconds after which a key that does not answer is asked again. */
const retryAfter = 10_000

/** Before the first signature. By EIP-868, 0 is the number of a node that has no record. */
const none: OwnRecord = { seq: 0n, bytes: emptyBytes }

/**
 * Returns this node's record, signed again with a higher sequence number whenever its content has changed: the last one while the
 * signature is awaited, if the key is elsewhere.
 */
export function createOwnRecord(
  key: NodeKey,
  clock: Clock,
  self: () => Enode,
  further: () => ReadonlyMap<string, RlpItem>,
): () => OwnRecord {
  let content: string | undefined
  let record = none
  let lastSeq: bigint | undefined
  let askedAt = 0
  return () => {
    const more = further()
    const { ip, tcpPort, udpPort } = self()
    const now = [ip, tcpPort, udpPort, ...[...more].map(([name, item]) => name + toHex(encodeRlp(item)))].join(' ')
    if (now === content && (record.seq === lastSeq || clock.now() - askedAt < retryAfter)) return record
    content = now
    // Starts with the time, so that it is higher after a restart without being stored.
    const seq = lastSeq === undefined ? BigInt(clock.now()) : lastSeq + 1n
    lastSeq = seq
    askedAt = clock.now()
    encodeRecord(seq, new Map([...endpointEntries(self()), ...more]), key, (bytes) => {
      if (seq > record.seq) record = { seq, bytes }
    })
    return record
  }
}
