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

/** Returns this node's record, signed again with a higher sequence number whenever its content has changed. */
export function createOwnRecord(
  key: Uint8Array,
  clock: Clock,
  self: () => Enode,
  further: () => ReadonlyMap<string, RlpItem>,
): () => OwnRecord {
  let content: string | undefined
  let record: OwnRecord | undefined
  return () => {
    const more = further()
    const { ip, tcpPort, udpPort } = self()
    const now = [ip, tcpPort, udpPort, ...[...more].map(([name, item]) => name + toHex(encodeRlp(item)))].join(' ')
    if (record && now === content) return record
    content = now
    // Starts with the time, so that it is higher after a restart without being stored.
    const seq = record ? record.seq + 1n : BigInt(clock.now())
    record = { seq, bytes: encodeRecord(seq, new Map([...endpointEntries(self()), ...more]), key) }
    return record
  }
}
