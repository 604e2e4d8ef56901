import type { HashedHeader } from '../../chain/view.ts'
import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { createRecentSet, type RecentSet } from '../../primitives/recentSet.ts'
import type { Clock } from '../../system/clock.ts'
import type { NetworkTx } from '../../types/blobSidecar.ts'
import { type Header, headerFromRlp } from '../../types/header.ts'
import type { DisconnectReason, PeerInfo, ProtocolLink } from '../protocol.ts'
import { badMessage } from './fault.ts'
import { type EthMessage, type EthVersion, ethCodes } from './messages.ts'
import { type HeaderQuery, headerQueryToRlp } from './queries.ts'
import { createRequests } from './requests.ts'
import { decodeSparse } from './rlpParts.ts'
import type { RequestKind } from './score.ts'
import type { Status } from './status.ts'
import { isTooLarge, txFromPart } from './wireTx.ts'

/** A peer's head, as far as it is known. */
export interface PeerHead {
  readonly hash: Hash32
  readonly totalDifficulty: bigint
  /** Undefined until the header is known. */
  readonly number: bigint | undefined
}

/** A peer on our network that has completed the eth handshake. */
export interface EthPeer {
  readonly info: PeerInfo
  readonly version: EthVersion
  readonly status: Status
  readonly head: PeerHead
  /** Blocks and transactions that the peer already has. */
  readonly knownBlocks: RecentSet<string>
  readonly knownTxs: RecentSet<string>
  /** Updates the peer's head if this one is better. */
  raiseHead(head: PeerHead): void
  raiseNumber(number: bigint): void
  send(message: EthMessage, payload: Uint8Array): boolean
  /** Bytes queued for sending. */
  backlog(): number
  /** Requests headers; checks that they are those of the query, and hashes them. */
  headers(query: HeaderQuery): Promise<HashedHeader[]>
  /** Requests encoded bodies, in the order of the hashes; the peer may leave some out or stop early. */
  bodies(hashes: readonly Hash32[]): Promise<Uint8Array[]>
  /** Requests the receipts of blocks, an encoded list for each; the peer may leave some out or stop early. */
  receipts(hashes: readonly Hash32[]): Promise<Uint8Array[]>
  pooledTransactions(hashes: readonly Hash32[]): Promise<NetworkTx[]>
  /** Number of pending requests. */
  load(): number
  /** Counts a useless response; too many disconnect the peer. */
  useless(): void
  disconnect(reason: DisconnectReason): void
}

export interface EthPeerParts {
  readonly clock: Clock
  /** The header as it is stored and sent, with its hash. */
  identify(header: Header): HashedHeader
}

/** A peer as seen by its connection. */
export interface EthPeerSession {
  readonly peer: EthPeer
  answer(kind: RequestKind, payload: Uint8Array): void
  close(): void
}

const knownBlocksKept = 300
/** New transactions spread within a second or two, so remembering those of the last seconds is enough. */
const knownTxsKept = 8192

export function createEthPeer(
  link: ProtocolLink,
  version: EthVersion,
  status: Status,
  { clock, identify }: EthPeerParts,
): EthPeerSession {
  const send = (message: EthMessage, payload: Uint8Array) => link.send(ethCodes[message], payload)
  const requests = createRequests({ clock, send, disconnect: link.disconnect })
  let head: PeerHead = { hash: status.bestHash, totalDifficulty: status.totalDifficulty, number: undefined }

  function readHeaders({ start, skip, reverse }: HeaderQuery, items: readonly Uint8Array[]): HashedHeader[] {
    const headers = items.map((item) => identify(headerFromRlp(decodeSparse(item))))
    const first = headers[0]
    if (!first) return headers
    const origin = typeof start === 'bigint' ? start : first.header.number
    if (typeof start !== 'bigint' && !equalBytes(first.hash, start)) throw badMessage('header not requested')
    const step = BigInt(skip + 1) * (reverse ? -1n : 1n)
    for (const [i, { header }] of headers.entries())
      if (header.number !== origin + BigInt(i) * step) throw badMessage('headers out of order')
    return headers
  }

  const peer: EthPeer = {
    info: link.peer,
    version,
    status,
    get head() {
      return head
    },
    knownBlocks: createRecentSet(knownBlocksKept),
    knownTxs: createRecentSet(knownTxsKept),
    raiseHead(better) {
      const same = equalBytes(better.hash, head.hash)
      if (same || better.totalDifficulty > head.totalDifficulty) head = better
    },
    raiseNumber(number) {
      if (head.number !== undefined && number > head.number) head = { ...head, number }
    },
    send,
    backlog: link.backlog,
    headers: (query) =>
      requests.ask('headers', headerQueryToRlp(query), query.count, (items) => readHeaders(query, items)),
    bodies: (hashes) =>
      // The message's buffer is reused.
      requests.ask('bodies', hashes, hashes.length, (items) => items.map((item) => item.slice())),
    receipts: (hashes) => requests.ask('receipts', hashes, hashes.length, (items) => items.map((item) => item.slice())),
    pooledTransactions: (hashes) =>
      requests.ask('transactions', hashes, hashes.length, (items) => {
        const sendable = items.filter((item) => !isTooLarge(item))
        if (sendable.length < items.length) requests.useless()
        return sendable.map((item) => txFromPart(item))
      }),
    load: requests.load,
    useless: requests.useless,
    disconnect: link.disconnect,
  }
  return { peer, answer: requests.answer, close: requests.close }
}
