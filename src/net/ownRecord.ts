import type { Clock } from '../primitives/clock.ts'
import { toHex } from '../primitives/hex.ts'
import { encodeRlp, type RlpItem } from '../primitives/rlp.ts'
import type { Enode } from './enode.ts'
import { encodeRecord, placeEntries } from './enr.ts'

/** The own signed record. */
export interface OwnRecord {
  readonly seq: bigint
  readonly bytes: Uint8Array
}

/** Gives the own record, signed anew with a higher number whenever what it says has changed. */
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
    // The time as first number: it has grown after a restart, without being stored.
    const seq = record ? record.seq + 1n : BigInt(clock.now())
    record = { seq, bytes: encodeRecord(seq, new Map([...placeEntries(self()), ...more]), key) }
    return record
  }
}
