import type { Chain } from '../../chain/chain.ts'
import type { ChainView } from '../../chain/view.ts'
import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import type { Store } from '../../store/store.ts'
import type { Reader } from '../../store/table.ts'
import type { Logger } from '../../system/logger.ts'
import { toBase64 } from '../enclave/base64.ts'
import { type Enclave, EnclaveError } from '../enclave/enclave.ts'
import type { LogNews } from '../execution/privateLogs.ts'
import { type Joining, type JoinParts, joiningsOf } from '../flexible/joinGroup.ts'
import { splitMarker } from '../sending/markers.ts'
import { writeGroupCursor } from './cursors.ts'
import { type Fetched, type FetchTerms, fetchForExecution, type ReceivedTx } from './fetchPayload.ts'
import { writePayload } from './groupBlocks.ts'
import type { MissingPayloads } from './missingPayloads.ts'
import type { Progress } from './progress.ts'

export interface LatePayloadsParts extends JoinParts, FetchTerms {
  readonly chain: Pick<Chain, 'read'>
  readonly store: Store
  readonly enclave: Enclave
  readonly missing: MissingPayloads
  readonly progress: Progress
  readonly news: LogNews
  isStopped(): boolean
  /** Reads chain and store as they are now, while others have their turn. */
  withViews<T>(action: (view: ChainView, reader: Reader) => Promise<T>): Promise<T>
}

/** Payloads that the manager gets after the block of their marker was passed. */
export interface LatePayloads {
  /** Asks for payloads that were missing; returns whether there may be more to ask for. */
  askAgain(): Promise<boolean>
}

/** What was found out about a history whose addition is in a block. */
interface LateJoining {
  readonly hash: Hash32
  readonly plan: Joining | undefined
}

/** What adds this node to a group that is behind waits: only then it is known what the node has executed. */
export function canFile(tx: ReceivedTx, progress: Progress): boolean {
  return !(tx.history && progress.behindOf(tx.group))
}

/** Says that the payload of a marker will not be executed. */
export function reportUnusable(log: Logger, marked: Uint8Array, block: number, reason: string): void {
  const fields = { key: toBase64(splitMarker(marked).key), block, reason }
  log.warn(fields, 'the payload {key} of block {block} is ignored: {reason}')
}

/** Payloads that came after their block: which groups have to go back to it. */
class LateArrivals implements LatePayloads {
  private readonly parts: LatePayloadsParts

  constructor(parts: LatePayloadsParts) {
    this.parts = parts
  }

  /** What the first marker of a payload carries. */
  private markedAt(key: Uint8Array): Uint8Array | undefined {
    const [at] = this.parts.missing.placesOf(key)
    return at && this.parts.chain.read((view) => view.body(at.hash)?.transactions[at.index]?.data)
  }

  /** How this node takes a history in whose addition has come late. */
  private join(key: Uint8Array, fetched: Fetched): Promise<LateJoining | undefined> {
    return this.parts.withViews(async (view, reader) => {
      const at = this.parts.missing.placesOf(key).find(({ hash }) => view.isCanonical(hash))
      if (!at || fetched.kind !== 'received' || !canFile(fetched.received, this.parts.progress)) return undefined
      const [plan] = await joiningsOf(this.parts, reader, view, fetched.received, at.number)
      return { hash: at.hash, plan }
    })
  }

  /** Files a payload that has come late; its group goes back to the block before. */
  private settle(key: Uint8Array, fetched: Fetched, late?: LateJoining): void {
    if (this.parts.isStopped() || fetched.kind === 'missing') return
    const found = fetched.kind === 'received' ? fetched.received : fetched.reason
    const places = this.parts.missing.placesOf(key)
    if (places.length === 0) return
    this.parts.chain.read((view) => {
      this.parts.progress.returnToCanonical(view)
      const canonical = places.filter(({ hash }) => view.isCanonical(hash))
      const first = canonical[0]
      // What adds this node to a group is looked at again if the chain is another one now.
      const isLate = typeof found !== 'string' && found.history !== undefined && first !== undefined
      if (isLate && !(late && canFile(found, this.parts.progress) && equalBytes(late.hash, first.hash))) return
      const hasPassed = typeof found !== 'string' && first && this.parts.progress.reached(found.group) >= first.number
      const back = late?.plan ?? (hasPassed ? { group: found.group, at: first.number - 1 } : undefined)
      if (back) this.parts.news.groupUndone(view, back.group, back.at + 1, this.parts.progress.reached(back.group))
      this.parts.store.write((txn) => {
        for (const at of places) this.parts.missing.remove(txn, key, at)
        if (typeof found !== 'string') for (const at of places) writePayload(txn, at, found)
        late?.plan?.file(txn)
        if (!back) return
        this.parts.groups.of(back.group).unwind(txn, back.at)
        writeGroupCursor(txn, back)
      })
      if (typeof found === 'string') return reportUnusable(this.parts.log, key, places[0]!.number, found)
      if (!back) return
      this.parts.progress.setBehind(back)
      const fields = { group: toBase64(back.group), block: first!.number }
      this.parts.log.info(fields, 'a payload of block {block} has come late: group {group} executes again from there')
    })
  }

  readonly askAgain: LatePayloads['askAgain'] = async () => {
    const keys = this.parts.missing.due()
    if (keys.length === 0) return false
    const failed: Uint8Array[] = []
    const invited: (readonly [key: Uint8Array, fetched: Fetched])[] = []
    await Promise.all(
      keys.map(async (key) => {
        const marked = this.markedAt(key)
        if (!marked) return
        try {
          const fetched = await fetchForExecution(this.parts.enclave, marked, this.parts)
          if (fetched.kind === 'received' && fetched.received.history) invited.push([key, fetched])
          else this.settle(key, fetched)
        } catch (error) {
          if (!(error instanceof EnclaveError)) throw error
          // What is missing must not hold up what comes.
          failed.push(key)
        }
      }),
    )
    // Histories are executed one at a time.
    for (const [key, fetched] of invited) this.settle(key, fetched, await this.join(key, fetched))
    if (!this.parts.isStopped()) this.parts.missing.asked(keys, failed)
    return true
  }
}

export function createLatePayloads(parts: LatePayloadsParts): LatePayloads {
  return new LateArrivals(parts)
}
