import { emptyBytes, type Hash32, padLeft } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import { badMessage } from './fault.ts'
import type { Numbered, SnapKind, SnapRequests } from './messages.ts'

/** Maximum length of a request; usual ones are far shorter. */
export const maxRequestLength = 128 * 1024
/** Larger limits are read as this. */
const maxBytes = 2 ** 31

type Codecs = {
  readonly [K in SnapKind]: {
    toItems(request: SnapRequests[K]): readonly RlpItem[]
    /** `items` are as many as `toItems` returns. */
    fromItems(items: readonly RlpItem[]): SnapRequests[K]
    readonly length: number
  }
}

const codecs: Codecs = {
  accountRange: {
    length: 4,
    toItems: ({ root, origin, limit, bytes }) => [root, origin, limit, scalar(bytes)],
    fromItems: ([root, origin, limit, bytes]) => ({
      root: hash(root),
      origin: hash(origin),
      limit: hash(limit),
      bytes: bounded(bytes),
    }),
  },
  storageRanges: {
    length: 5,
    toItems: ({ root, accounts, origin, limit, bytes }) => [
      root,
      accounts,
      origin ?? emptyBytes,
      limit ?? emptyBytes,
      scalar(bytes),
    ],
    fromItems: ([root, accounts, origin, limit, bytes]) => ({
      root: hash(root),
      accounts: rlpList(accounts).map(hash),
      origin: border(origin),
      limit: border(limit),
      bytes: bounded(bytes),
    }),
  },
  byteCodes: {
    length: 2,
    toItems: ({ hashes, bytes }) => [hashes, scalar(bytes)],
    fromItems: ([hashes, bytes]) => ({ hashes: rlpList(hashes).map(hash), bytes: bounded(bytes) }),
  },
  trieNodes: {
    length: 3,
    toItems: ({ root, sets, bytes }) => [root, sets, scalar(bytes)],
    fromItems: ([root, sets, bytes]) => ({
      root: hash(root),
      sets: rlpList(sets).map(pathSet),
      bytes: bounded(bytes),
    }),
  },
}

function hash(item: RlpItem | undefined): Hash32 {
  return rlpBytes(item, 32).slice() as Hash32
}

/** An end of a range of slots; geth reads shorter ones as numbers. */
function border(item: RlpItem | undefined): Hash32 | undefined {
  const bytes = rlpBytes(item)
  if (bytes.length > 32) throw badMessage(`a hash of ${bytes.length} bytes`)
  return bytes.length === 0 ? undefined : (padLeft(bytes, 32) as Hash32)
}

function bounded(item: RlpItem | undefined): number {
  return Math.min(Number(rlpScalar(item, 64)), maxBytes)
}

function pathSet(item: RlpItem): Uint8Array[] {
  const paths = rlpList(item).map((path) => rlpBytes(path).slice())
  if (paths.length === 0) throw badMessage('a set without paths')
  return paths
}

export function encodeRequest<K extends SnapKind>(kind: K, id: bigint, request: SnapRequests[K]): Uint8Array {
  return encodeRlp([scalar(id), ...codecs[kind].toItems(request)])
}

/** Throws a Fault if the request is malformed; nothing of `payload` is kept. */
export function decodeRequest<K extends SnapKind>(kind: K, payload: Uint8Array): Numbered<SnapRequests[K]> {
  if (payload.length > maxRequestLength) throw badMessage(`request of ${payload.length} bytes`)
  const { fromItems, length } = codecs[kind]
  const [id, ...items] = rlpList(decodeRlp(payload), 1 + length)
  return { id: rlpScalar(id, 64), message: fromItems(items) }
}
