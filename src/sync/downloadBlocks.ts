import type { HashedHeader } from '../chain/view.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import { EthError } from '../net/eth/fault.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { RlpError } from '../primitives/rlp.ts'
import { emptyBodyOf, matchBodies } from './bodyRoots.ts'
import type { ByteGate } from './byteGate.ts'
import { atFault, SyncError, stuckAt } from './fault.ts'
import type { PeerSlots } from './peerSlots.ts'
import { type Anchor, planSegments, type Segment } from './planSegments.ts'

/** A block whose header follows its parent; its body is RLP, and not yet compared with the header. */
export interface DownloadedBlock extends HashedHeader {
  readonly body: Uint8Array
  readonly headerFrom: EthPeer
  /** Undefined if the header says that the body is empty. */
  readonly bodyFrom: EthPeer | undefined
}

/** Headers that follow each other, and who sent them. */
export interface DownloadedHeaders {
  readonly headers: readonly HashedHeader[]
  readonly from: EthPeer
}

export interface DownloadParts {
  readonly slots: PeerSlots
  readonly gate: ByteGate
}

/** Segments that are downloaded at a time. */
const windowSize = 12
const bodiesPerRequest = 64
/** Attempts at one request. */
const maxFailures = 5

/** Downloads segments of a target's chain, from the target and from others that have the same blocks. */
class HeaderDownload {
  protected readonly target: EthPeer
  private readonly slots: PeerSlots

  constructor(target: EthPeer, slots: PeerSlots) {
    this.target = target
    this.slots = slots
  }

  /** Asks one peer after the other until one delivers; those that do not are not asked again. */
  protected async attempt<T>(
    { first, last, only }: Work,
    action: (peer: EthPeer) => Promise<T | undefined>,
  ): Promise<T> {
    const excluded = new Set<EthPeer>()
    let refusal: string | undefined
    for (let failures = 0; failures < maxFailures; failures++) {
      let worker: EthPeer | undefined
      try {
        const result = await this.slots.use({ height: last, excluded, only }, (peer) => action((worker = peer)))
        if (result !== undefined) return result
        refusal = 'an answer without them'
        worker!.useless()
      } catch (error) {
        if (refusal && error instanceof SyncError && error.at.code === 'NO_PEER')
          throw new SyncError({ code: 'NO_PEER', block: first, reason: unsent(first, refusal) }, error)
        if (!(error instanceof EthError)) throw error
        // Of one that is gone nothing is known.
        if (error.at.code !== 'PEER_GONE') refusal = error.message
        // The target is asked again: it has the blocks, and may only be slow.
        if (worker === this.target) continue
      }
      excluded.add(worker!)
    }
    throw stuckAt(first, this.target, 'uselessPeer', unsent(first, refusal))
  }

  headersOf(segment: Segment): Promise<DownloadedHeaders> {
    const { base, length, lastHash } = segment
    const first = base.number + 1n
    const last = base.number + BigInt(length)
    return this.attempt({ first, last, only: lastHash ? undefined : this.target }, async (from) => {
      const headers = await from.headers({ start: first, count: length, skip: 0, reverse: false })
      if (!isLinked(headers)) throw atFault(from, 'breachOfProtocol', 'its headers do not follow each other')
      if (isPart(headers, segment)) return { headers, from }
      // Another peer may be on another branch; if it is the target, its chain was reorganised.
      if (from !== this.target) return undefined
      this.target.useless()
      throw new SyncError({ code: 'INTERRUPTED', reason: "the peer's chain was reorganised" })
    })
  }
}

/** Downloads bodies, too. */
class SegmentDownload extends HeaderDownload {
  private readonly gate: ByteGate

  constructor(target: EthPeer, { slots, gate }: DownloadParts) {
    super(target, slots)
    this.gate = gate
  }

  private async bodiesOf(wanted: readonly HashedHeader[]): Promise<DownloadedBody[]> {
    const found: DownloadedBody[] = []
    let missing = wanted
    while (missing.length > 0) {
      const { header } = missing[0]!
      await this.gate.enter(header.number)
      let bytes = 0
      try {
        const work = { first: header.number, last: missing.at(-1)!.header.number, only: undefined }
        const got = await this.attempt(work, async (from) => {
          const bodies = await from.bodies(missing.map(({ hash }) => hash))
          const matched = match(from, missing, bodies)
          return matched.some((body) => body) ? { matched, from } : undefined
        })
        const left: HashedHeader[] = []
        for (const [i, hashed] of missing.entries()) {
          const body = got.matched[i]
          if (body) {
            found.push({ hashed, body, from: got.from })
            bytes += body.length
          } else left.push(hashed)
        }
        missing = left
      } finally {
        this.gate.leave(bytes)
      }
    }
    return found
  }

  /** Downloads the blocks of a segment. */
  async fill(segment: Segment): Promise<readonly DownloadedBlock[]> {
    const { headers, from: headerFrom } = await this.headersOf(segment)
    const blocks = new Map<HashedHeader, DownloadedBlock>()
    const wanted: HashedHeader[] = []
    for (const hashed of headers) {
      const body = emptyBodyOf(hashed.header)
      if (body) blocks.set(hashed, { ...hashed, body, headerFrom, bodyFrom: undefined })
      else wanted.push(hashed)
    }
    const requests: Promise<DownloadedBody[]>[] = []
    for (let at = 0; at < wanted.length; at += bodiesPerRequest)
      requests.push(this.bodiesOf(wanted.slice(at, at + bodiesPerRequest)))
    for (const { hashed, body, from } of (await Promise.all(requests)).flat())
      blocks.set(hashed, { ...hashed, body, headerFrom, bodyFrom: from })
    return headers.map((hashed) => blocks.get(hashed)!)
  }
}

/** The blocks of the target's chain after `ancestor` up to `height`, in order, downloaded from all peers that have them. */
export async function* downloadBlocks(
  target: EthPeer,
  ancestor: Anchor,
  height: bigint,
  parts: DownloadParts,
): AsyncGenerator<readonly DownloadedBlock[]> {
  const download = new SegmentDownload(target, parts)
  yield* sideBySide(planSegments(target, ancestor, height), (segment) => download.fill(segment))
}

/** The headers of these blocks alone. */
export async function* downloadHeaders(
  target: EthPeer,
  ancestor: Anchor,
  height: bigint,
  slots: PeerSlots,
): AsyncGenerator<DownloadedHeaders> {
  const download = new HeaderDownload(target, slots)
  yield* sideBySide(planSegments(target, ancestor, height), (segment) => download.headersOf(segment))
}

/** What `fill` makes of segments, some at a time, in their order. */
async function* sideBySide<T>(segments: AsyncIterable<Segment>, fill: (segment: Segment) => Promise<T>) {
  const window: Promise<T>[] = []
  for await (const segment of segments) {
    const filling = fill(segment)
    // A failure is thrown when the segment is awaited.
    filling.catch(() => {})
    window.push(filling)
    if (window.length >= windowSize) yield await window.shift()!
  }
  while (window.length > 0) yield await window.shift()!
}

function unsent(first: bigint, refusal = 'the connection ended'): string {
  return `no peer sends the blocks from ${first} on (${refusal})`
}

/** The blocks of one request. */
interface Work {
  readonly first: bigint
  readonly last: bigint
  readonly only: EthPeer | undefined
}

interface DownloadedBody {
  readonly hashed: HashedHeader
  readonly body: Uint8Array
  readonly from: EthPeer
}

function match(
  from: EthPeer,
  wanted: readonly HashedHeader[],
  bodies: readonly Uint8Array[],
): (Uint8Array | undefined)[] {
  try {
    return matchBodies(
      wanted.map(({ header }) => header),
      bodies,
    )
  } catch (error) {
    if (!(error instanceof RlpError)) throw error
    throw atFault(from, 'breachOfProtocol', 'its bodies cannot be decoded', error)
  }
}

/** Whether each header is the parent of the next. */
function isLinked(headers: readonly HashedHeader[]): boolean {
  return headers.every(({ header }, i) => i === 0 || equalBytes(header.parentHash, headers[i - 1]!.hash))
}

/** Whether headers are those of the segment; the last segment of a chain may be shorter than expected. */
function isPart(headers: readonly HashedHeader[], { base, length, lastHash }: Segment): boolean {
  const [first, last] = [headers[0], headers.at(-1)]
  if (first && !equalBytes(first.header.parentHash, base.hash)) return false
  return lastHash === undefined || (headers.length === length && equalBytes(last!.hash, lastHash))
}
