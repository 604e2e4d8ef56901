import type { HashedHeader } from '../../chain/view.ts'
import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import type { Clock } from '../../primitives/clock.ts'
import { createRecentSet, type RecentSet } from '../../primitives/recentSet.ts'
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
import { txFromPart } from './wireTx.ts'

/** The best block that a peer is known to have. */
export interface PeerHead {
  readonly hash: Hash32
  readonly totalDifficulty: bigint
  /** Undefined until its header was seen. */
  readonly number: bigint | undefined
}

/** A peer whose status fits ours. */
export interface EthPeer {
  readonly info: PeerInfo
  readonly version: EthVersion
  readonly status: Status
  readonly head: PeerHead
  /** Blocks and transactions that need not be sent to it. */
  readonly knownBlocks: RecentSet<string>
  readonly knownTxs: RecentSet<string>
  /** Takes a better estimate of what the peer has; a lesser one changes nothing. */
  raiseHead(head: PeerHead): void
  raiseNumber(number: bigint): void
  send(message: EthMessage, payload: Uint8Array): boolean
  /** Bytes that wait to be sent. */
  backlog(): number
  /** Headers with the hashes that our engine gives them; they stand where the query asks for. */
  headers(query: HeaderQuery): Promise<HashedHeader[]>
  /** Encoded bodies in the order of the hashes; those that the peer lacks are left out, and it may stop early. */
  bodies(hashes: readonly Hash32[]): Promise<Uint8Array[]>
  pooledTransactions(hashes: readonly Hash32[]): Promise<NetworkTx[]>
  /** Requests that are under way. */
  load(): number
  /** Counts an answer that was of no use; too many end the connection. */
  useless(): void
  disconnect(reason: DisconnectReason): void
}

export interface EthPeerParts {
  readonly clock: Clock
  hashOf(header: Header): Hash32
}

/** The side of a peer that only its connection sees. */
export interface EthPeerSession {
  readonly peer: EthPeer
  answer(kind: RequestKind, payload: Uint8Array): void
  close(): void
}

const knownBlocksKept = 300
/** What is new is told on within a second or two: those of the last seconds are enough. */
const knownTxsKept = 8192

export function createEthPeer(
  link: ProtocolLink,
  version: EthVersion,
  status: Status,
  { clock, hashOf }: EthPeerParts,
): EthPeerSession {
  const send = (message: EthMessage, payload: Uint8Array) => link.send(ethCodes[message], payload)
  const requests = createRequests({ clock, send, disconnect: link.disconnect })
  let head: PeerHead = { hash: status.bestHash, totalDifficulty: status.totalDifficulty, number: undefined }

  function readHeaders({ start, skip, reverse }: HeaderQuery, items: readonly Uint8Array[]): HashedHeader[] {
    const headers = items.map((item) => {
      const header = headerFromRlp(decodeSparse(item))
      return { header, hash: hashOf(header) }
    })
    const first = headers[0]
    if (!first) return headers
    const origin = typeof start === 'bigint' ? start : first.header.number
    if (typeof start !== 'bigint' && !equalBytes(first.hash, start))
      throw badMessage('another header than the one asked for')
    const step = BigInt(skip + 1) * (reverse ? -1n : 1n)
    for (const [i, { header }] of headers.entries())
      if (header.number !== origin + BigInt(i) * step) throw badMessage('headers in another order than asked for')
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
      // The message's memory is only lent.
      requests.ask('bodies', hashes, hashes.length, (items) => items.map((item) => item.slice())),
    pooledTransactions: (hashes) =>
      requests.ask('transactions', hashes, hashes.length, (items) => items.map(txFromPart)),
    load: requests.load,
    useless: requests.useless,
    disconnect: link.disconnect,
  }
  return { peer, answer: requests.answer, close: requests.close }
}
