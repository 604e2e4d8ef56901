import type { Hash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList, scalar } from '../../primitives/rlp.ts'
import { badMessage } from './fault.ts'
import type { EthVersion } from './messages.ts'

/** A transaction that can be asked for. */
export interface AnnouncedTx {
  readonly hash: Hash32
  readonly type: number
  /** Bytes of the transaction as it is handed over. */
  readonly size: number
}

/** Nodes announce up to 4096 at a time; a message of more than twice that would cost us before it is looked at. */
const maxAnnouncementLength = 384 * 1024

/** Hashes; since eth/68 with type and size. */
export function encodeAnnouncement(version: EthVersion, txs: readonly AnnouncedTx[]): Uint8Array {
  const hashes = txs.map(({ hash }) => hash)
  if (version < 68) return encodeRlp(hashes)
  return encodeRlp([Uint8Array.from(txs, ({ type }) => type), txs.map(({ size }) => scalar(size)), hashes])
}

/** The hashes that a peer offers; what it says about them besides is not relied upon. */
export function decodeAnnouncement(version: EthVersion, payload: Uint8Array): Hash32[] {
  if (payload.length > maxAnnouncementLength) throw badMessage(`an announcement of ${payload.length} bytes`)
  const items = rlpList(decodeRlp(payload))
  if (version < 68) return items.map(hashFrom)
  const [types, sizes, hashes] = rlpList(items, 3)
  const list = rlpList(hashes)
  if (rlpBytes(types).length !== list.length || rlpList(sizes).length !== list.length)
    throw badMessage('an announcement of unequal lengths')
  return list.map(hashFrom)
}

function hashFrom(item: Parameters<typeof rlpBytes>[0]): Hash32 {
  return rlpBytes(item, 32).slice() as Hash32
}
