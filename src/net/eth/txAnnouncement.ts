import type { Hash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList, scalar } from '../../primitives/rlp.ts'
import { encodeNetworkTx, type NetworkTx } from '../../types/blobSidecar.ts'
import { badMessage } from './fault.ts'
import type { EthVersion } from './messages.ts'

/** What is said of a transaction before it is handed over. */
export interface TxClaim {
  readonly type: number
  /** Bytes of the transaction as it is handed over. */
  readonly size: number
}

/** A transaction that can be asked for. */
export interface AnnouncedTx extends TxClaim {
  readonly hash: Hash32
}

/** A transaction that a peer offers; before eth/68 nothing but its hash is known. */
export interface TxOffer {
  readonly hash: Hash32
  readonly claim: TxClaim | undefined
}

/** Nodes announce up to 4096 at a time; a message of more than twice that would cost us before it is looked at. */
const maxAnnouncementLength = 384 * 1024
/** Bytes that an announced size may be off, as in geth: clients count the envelope of a typed transaction differently. */
const sizeTolerance = 8

/** Hashes; since eth/68 with type and size. */
export function encodeAnnouncement(version: EthVersion, txs: readonly AnnouncedTx[]): Uint8Array {
  const hashes = txs.map(({ hash }) => hash)
  if (version < 68) return encodeRlp(hashes)
  return encodeRlp([Uint8Array.from(txs, ({ type }) => type), txs.map(({ size }) => scalar(size)), hashes])
}

/** The transactions that a peer offers. */
export function decodeAnnouncement(version: EthVersion, payload: Uint8Array): TxOffer[] {
  if (payload.length > maxAnnouncementLength) throw badMessage(`an announcement of ${payload.length} bytes`)
  const items = rlpList(decodeRlp(payload))
  if (version < 68) return items.map((item) => ({ hash: hashFrom(item), claim: undefined }))
  const [typeBytes, sizeItems, hashes] = rlpList(items, 3)
  const [types, sizes, list] = [rlpBytes(typeBytes), rlpList(sizeItems), rlpList(hashes)]
  if (types.length !== list.length || sizes.length !== list.length)
    throw badMessage('an announcement of unequal lengths')
  return list.map((item, i) => ({ hash: hashFrom(item), claim: { type: types[i]!, size: sizeFrom(sizes[i]!) } }))
}

/** Whether a transaction is what the announcement said of it. */
export function fitsClaim({ tx, sidecar }: NetworkTx, { type, size }: TxClaim): boolean {
  return tx.type === type && Math.abs(encodeNetworkTx(tx, sidecar).length - size) <= sizeTolerance
}

/** Some releases of Besu pad sizes to four bytes. */
function sizeFrom(item: Parameters<typeof rlpBytes>[0]): number {
  return rlpBytes(item).reduce((size, byte) => size * 256 + byte, 0)
}

function hashFrom(item: Parameters<typeof rlpBytes>[0]): Hash32 {
  return rlpBytes(item, 32).slice() as Hash32
}
