import type { RangedAccount } from '../../net/snap/messages.ts'
import { bytesOfKey, compareBytes, equalBytes, type Hash32, keyOf, zeroHash } from '../../primitives/bytes.ts'
import type { RangeProgress, StateDraft } from '../../state/stateDraft.ts'
import { emptyTrieRoot } from '../../types/account.ts'
import { CodeJobs } from './codeJobs.ts'
import { divideKeys, type KeyPart, keyAfter, maxKey } from './keySpace.ts'
import { verifyAccounts, verifySlots } from './verifyResponses.ts'
import { type Phase, responseBytes, type WorkOf } from './work.ts'

/** Parts of the key space that are downloaded side by side. */
const partCount = 16
/** Accounts whose slots are asked for at once. */
const ownersPerRequest = 64

/** An account whose slots are to come. */
interface SlotJob {
  readonly owner: Hash32
  readonly root: Hash32
  /** Undefined before the first slot. */
  origin: Hash32 | undefined
  readonly batch: Batch
}

/** Accounts that have come, and what they lack. They are written when they lack nothing. */
interface Batch {
  readonly accounts: readonly RangedAccount[]
  /** Where the part goes on after them. */
  readonly next: Hash32 | undefined
  /** What each account lacks: slots or code. */
  readonly lacks: Map<string, number>
}

interface Part extends KeyPart {
  next: Hash32 | undefined
  isAsked: boolean
  batch: Batch | undefined
}

/**
 * Downloads accounts in ranges, and the slots and code of each. What has been written stays when another state is
 * downloaded from then on: healing makes one state of the parts.
 */
export class RangePhase implements Phase {
  private readonly draft: StateDraft
  private readonly root: Hash32
  private readonly parts: Part[]
  private readonly codes: CodeJobs
  /** Accounts whose slots nobody was asked for yet, and those of which some have come. */
  private readonly fresh = new Set<SlotJob>()
  private readonly begun = new Set<SlotJob>()
  private readonly askedJobs = new Set<SlotJob>()
  private readonly mixed: Map<string, Hash32>
  /** Accounts with many slots, and where these go on. */
  private readonly partial: Map<string, Hash32>

  /** `partial` is that of the phase before, if there was one in this process. */
  constructor(draft: StateDraft, root: Hash32, partial: ReadonlyMap<string, Hash32> = new Map()) {
    this.draft = draft
    this.root = root
    this.codes = new CodeJobs(draft)
    this.partial = new Map(partial)
    const progress = draft.progress()
    this.mixed = new Map(progress?.mixed.map((owner) => [keyOf(owner), owner]))
    this.parts = divideKeys(partCount).map((part, i) => {
      const next = progress ? progress.next[i] : part.from
      // Slots of accounts that were not written belong to nobody.
      if (next) draft.clearOwners(next, part.to, [...this.partial.keys()].map(ownerOf))
      return { ...part, next, isAsked: false, batch: undefined }
    })
    if (!progress) draft.saveProgress(this.progress())
  }

  isDone(): boolean {
    return this.parts.every(({ next }) => next === undefined)
  }

  next() {
    return this.nextSlots() ?? this.codes.next() ?? this.nextAccounts()
  }

  /** Writes what is complete; returns where the slots of large accounts go on. */
  abandon(): ReadonlyMap<string, Hash32> {
    for (const { owner, origin } of [...this.begun, ...this.askedJobs])
      if (origin) this.partial.set(keyOf(owner), origin)
    for (const part of this.parts) if (part.batch) this.writeStart(part, part.batch)
    this.codes.clear()
    return this.partial
  }

  private progress(): RangeProgress {
    return { next: this.parts.map(({ next }) => next), mixed: [...this.mixed.values()] }
  }

  private nextAccounts(): WorkOf<'accountRange'> | undefined {
    const part = this.parts.find(({ next, isAsked, batch }) => next && !isAsked && !batch)
    if (!part) return undefined
    const request = { root: this.root, origin: part.next!, limit: part.to, bytes: responseBytes }
    part.isAsked = true
    return {
      kind: 'accountRange',
      request,
      giveBack: () => void (part.isAsked = false),
      receive: (response) => {
        const verified = verifyAccounts(request, response)
        part.isAsked = false
        if (!verified) return false
        const accounts = verified.entries.filter(({ hash }) => compareBytes(hash, part.to) <= 0)
        const isEnd = !verified.more || accounts.length < verified.entries.length
        const last = accounts.at(-1)?.hash
        const next = isEnd || !last || equalBytes(last, part.to) ? undefined : keyAfter(last)
        this.open(part, { accounts, next, lacks: new Map() })
        return true
      },
    }
  }

  private open(part: Part, batch: Batch): void {
    part.batch = batch
    for (const { hash: owner, account } of batch.accounts) {
      const key = keyOf(owner)
      let lacks = this.codes.has(account.codeHash, () => this.supplied(batch, key)) ? 0 : 1
      const origin = this.partial.get(key)
      this.partial.delete(key)
      if (!equalBytes(account.storageRoot, emptyTrieRoot)) {
        this.keep({ owner, root: account.storageRoot, origin, batch })
        lacks++
      } else if (origin) this.draft.clearOwners(owner, owner, [])
      if (lacks > 0) batch.lacks.set(key, lacks)
    }
    this.finish(batch)
  }

  private supplied(batch: Batch, key: string): void {
    const left = batch.lacks.get(key)! - 1
    if (left > 0) batch.lacks.set(key, left)
    else batch.lacks.delete(key)
    this.finish(batch)
  }

  private finish(batch: Batch): void {
    const part = this.parts.find((one) => one.batch === batch)
    if (!part || batch.lacks.size > 0) return
    this.write(part, batch.accounts, batch.next)
    part.batch = undefined
  }

  /** Writes the accounts before the first one that lacks something. */
  private writeStart(part: Part, { accounts, lacks }: Batch): void {
    const end = accounts.findIndex(({ hash }) => lacks.has(keyOf(hash)))
    if (end > 0) this.write(part, accounts.slice(0, end), accounts[end]!.hash)
    part.batch = undefined
  }

  private write(part: Part, accounts: readonly RangedAccount[], next: Hash32 | undefined): void {
    const before = part.next!
    part.next = next
    // An account that was there in an earlier state and is not in this one.
    for (const owner of [...this.partial.keys()].map(ownerOf)) {
      const isPassed = compareBytes(owner, before) >= 0 && compareBytes(owner, part.to) <= 0
      if (!isPassed || (next && compareBytes(owner, next) >= 0)) continue
      this.partial.delete(keyOf(owner))
      this.draft.clearOwners(owner, owner, [])
    }
    this.draft.putAccounts(
      accounts.map(({ hash, account }) => ({ key: hash, account })),
      this.progress(),
    )
  }

  private nextSlots(): WorkOf<'storageRanges'> | undefined {
    const jobs = this.takeSlotJobs()
    if (jobs.length === 0) return undefined
    const { origin } = jobs[0]!
    const accounts = jobs.map(({ owner }) => owner)
    const limit = origin && maxKey
    const request = { root: this.root, accounts, origin, limit, bytes: responseBytes }
    return {
      kind: 'storageRanges',
      request,
      giveBack: () => this.giveBack(jobs),
      receive: (response) => {
        const roots = jobs.map(({ root }) => root)
        const lists = verifySlots(request, roots, response)
        const came = lists?.length ?? 0
        this.giveBack(jobs.slice(came))
        for (const [i, { entries, more }] of (lists ?? []).entries())
          this.takeSlots(
            jobs[i]!,
            entries.map(({ hash, data }) => ({ key: hash, value: data })),
            more,
          )
        return lists !== undefined
      },
    }
  }

  /** One account whose slots have begun to come, or many of which none has. */
  private takeSlotJobs(): SlotJob[] {
    const [begun] = this.begun
    const taken: SlotJob[] = begun ? [begun] : []
    if (!begun)
      for (const job of this.fresh) {
        taken.push(job)
        if (taken.length === ownersPerRequest) break
      }
    for (const job of taken) {
      this.fresh.delete(job)
      this.begun.delete(job)
      this.askedJobs.add(job)
    }
    return taken
  }

  private keep(job: SlotJob): void {
    if (job.origin) this.begun.add(job)
    else this.fresh.add(job)
  }

  private giveBack(jobs: readonly SlotJob[]): void {
    for (const job of jobs) {
      this.askedJobs.delete(job)
      this.keep(job)
    }
  }

  private takeSlots(job: SlotJob, slots: readonly { key: Hash32; value: Uint8Array }[], more: boolean): void {
    const { owner, batch } = job
    if (more && !this.mixed.has(keyOf(owner))) {
      this.mixed.set(keyOf(owner), owner)
      this.draft.saveProgress(this.progress())
    }
    this.draft.putSlots(owner, slots)
    this.askedJobs.delete(job)
    if (more) {
      job.origin = keyAfter(slots.at(-1)!.key) ?? zeroHash
      this.keep(job)
    } else this.supplied(batch, keyOf(owner))
  }
}

function ownerOf(key: string): Hash32 {
  return bytesOfKey(key) as Hash32
}
