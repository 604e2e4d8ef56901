import type { Hash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList, scalar } from '../../primitives/rlp.ts'
import { encodeNetworkTx, type NetworkTx } from '../../types/blobSidecar.ts'
import { badMessage } from './fault.ts'
import type { EthVersion } from './messages.ts'

/** Type and size of an announced transaction. */
export interface TxClaim {
  readonly type: number
  /** Bytes of the encoded transaction, including blobs. */
  readonly size: number
}

/** A transaction announced by hash. */
export interface AnnouncedTx extends TxClaim {
  readonly hash: Hash32
}

/** A transaction announced by a peer; before eth/68 only its hash is known. */
export interface TxOffer {
  readonly hash: Hash32
  readonly claim: TxClaim | undefined
}

/** Maximum length of an announcement: more than twice the 4096 hashes that nodes send at a time. */
const maxAnnouncementLength = 384 * 1024
/** Bytes that an announced size may be off, as in geth: clients count the envelope of a typed transaction differently. */
const sizeTolerance = 8

/** Encodes hashes; since eth/68 with type and size. */
export function encodeAnnouncement(version: EthVersion, txs: readonly AnnouncedTx[]): Uint8Array {
  const hashes = txs.map(({ hash }) => hash)
  if (version < 68) return encodeRlp(hashes)
  return encodeRlp([Uint8Array.from(txs, ({ type }) => type), txs.map(({ size }) => scalar(size)), hashes])
}

/** Decodes the announced transactions. */
export function decodeAnnouncement(version: EthVersion, payload: Uint8Array): TxOffer[] {
  if (payload.length > maxAnnouncementLength) throw badMessage(`announcement of ${payload.length} bytes`)
  const items = rlpList(decodeRlp(payload))
  if (version < 68) return items.map((item) => ({ hash: hashFrom(item), claim: undefined }))
  const [typeBytes, sizeItems, hashes] = rlpList(items, 3)
  const [types, sizes, list] = [rlpBytes(typeBytes), rlpList(sizeItems), rlpList(hashes)]
  if (types.length !== list.length || sizes.length !== list.length)
    throw badMessage('announcement with lists of different lengths')
  const offers: TxOffer[] = []
  for (let i = 0; i < list.length; i++)
    offers.push({ hash: hashFrom(list[i]!), claim: { type: types[i]!, size: sizeFrom(sizes[i]!) } })
  return offers
}

/** Whether a transaction matches its announcement. */
export function fitsClaim({ tx, sidecar }: NetworkTx, { type, size }: TxClaim): boolean {
  return tx.type === type && Math.abs(encodeNetworkTx(tx, sidecar).length - size) <= sizeTolerance
}

/** Some releases of Besu pad sizes to four bytes. */
function sizeFrom(item: Parameters<typeof rlpBytes>[0]): number {
  let size = 0
  for (const byte of rlpBytes(item)) size = size * 256 + byte
  return size
}

function hashFrom(item: Parameters<typeof rlpBytes>[0]): Hash32 {
  return rlpBytes(item, 32).slice() as Hash32
}
