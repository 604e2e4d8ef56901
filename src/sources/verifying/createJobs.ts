import { randomUUID } from 'node:crypto'
import { createRecentMap } from '../../primitives/recentMap.ts'
import { lengthOf } from '../compiling/standardJson.ts'
import { SourceError } from '../fault.ts'
import type { SourceStore } from '../keeping/sourceStore.ts'
import { type ContractSummary, rankOf } from '../keeping/verifiedContract.ts'
import type { Submission, Verification } from './verifyContract.ts'

/** A verification that was asked for. */
export interface Job {
  readonly id: string
  readonly address: string
  /** ISO 8601. */
  readonly started: string
  readonly finished?: string
  /** Undefined while it runs, and if it failed. */
  readonly contract?: ContractSummary
  readonly error?: SourceError
}

export interface Jobs {
  /** Begins to verify. Throws a SourceError if there is too much to do, or if the contract is verified already. */
  start(submission: Submission): string
  /** Begins with sources that have to be found first. */
  startWith(address: string, client: string, find: () => Promise<Submission>): string
  get(id: string): Job
}

export interface JobsParts {
  readonly store: Pick<SourceStore, 'summary' | 'put'>
  verify(submission: Submission): Promise<Verification>
  /** Milliseconds since 1970. */
  now(): number
  /** Called when the sources of a contract are kept. */
  onVerified(contract: ContractSummary): void
  /** Called with errors that no client caused. */
  onInternalError(error: unknown): void
}

/** Jobs that are remembered; that run or wait; those of one client, and characters of what all have sent. */
const maxJobs = { known: 2000, open: 100, client: 10, characters: 48 << 20 }

interface Open {
  readonly address: string
  readonly client: string
  readonly characters: number
}

class VerificationJobs implements Jobs {
  private readonly parts: JobsParts
  private readonly known = createRecentMap<string, Job>(maxJobs.known)
  private readonly running = new Map<string, Open>()

  constructor(parts: JobsParts) {
    this.parts = parts
  }

  readonly start: Jobs['start'] = (submission) => {
    return this.begin({ ...submission, characters: lengthOf(submission.input) }, async () => submission)
  }

  readonly startWith: Jobs['startWith'] = (address, client, find) =>
    this.begin({ address, client, characters: 0 }, find)

  readonly get: Jobs['get'] = (id) => {
    const job = this.known.get(id)
    if (!job) throw new SourceError({ code: 'job_not_found', id })
    return job
  }

  private begin({ address, client, characters }: Open, find: () => Promise<Submission>): string {
    this.checkRoom({ address, client, characters })
    const job: Job = { id: randomUUID(), address, started: this.time() }
    this.known.set(job.id, job)
    this.running.set(job.id, { address, client, characters })
    void this.run(job, find)
    return job.id
  }

  private checkRoom({ address, client, characters }: Open): void {
    const open = [...this.running.values()]
    if (open.some((one) => one.address === address))
      throw new SourceError({ code: 'duplicate_verification_request', address })
    const tooMany = (reason: string) => new SourceError({ code: 'too_many_requests', reason })
    if (open.filter((one) => one.client === client).length >= maxJobs.client)
      throw tooMany(`You have ${maxJobs.client} contracts waiting: try again when one of them is done.`)
    const all = open.reduce((sum, one) => sum + one.characters, characters)
    if (open.length >= maxJobs.open || all > maxJobs.characters)
      throw tooMany('Too many contracts wait to be verified: try again later.')
  }

  private async run(job: Job, find: () => Promise<Submission>): Promise<void> {
    try {
      const { summary, details } = await this.parts.verify(await find())
      const before = this.parts.store.summary(job.address)
      // What was verified of another contract, which was at this address before, does not count.
      if (before?.codeHash === summary.codeHash && rankOf(before) >= rankOf(summary))
        throw new SourceError({ code: 'already_verified', address: job.address })
      const contract = this.parts.store.put({ summary: { ...summary, verifiedAt: this.time() }, details })
      this.known.set(job.id, { ...job, contract, finished: this.time() })
      this.parts.onVerified(contract)
    } catch (error) {
      this.known.set(job.id, { ...job, error: this.faultOf(error), finished: this.time() })
    } finally {
      this.running.delete(job.id)
    }
  }

  private faultOf(error: unknown): SourceError {
    if (error instanceof SourceError) return error
    this.parts.onInternalError(error)
    return new SourceError({ code: 'internal_error' }, error)
  }

  private readonly time = () => new Date(this.parts.now()).toISOString()
}

export function createJobs(parts: JobsParts): Jobs {
  return new VerificationJobs(parts)
}
