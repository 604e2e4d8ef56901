import { equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { emptyCodeHash } from '../../primitives/keccak.ts'
import type { StateDraft } from '../../state/stateDraft.ts'
import { verifyCodes } from './verifyResponses.ts'
import { responseBytes, type WorkOf } from './work.ts'

/** Codes that are asked for at once. */
const codesPerRequest = 64

interface CodeJob {
  readonly hash: Hash32
  isAsked: boolean
  readonly whenThere: (() => void)[]
}

/** Code that accounts have and this node does not. */
export class CodeJobs {
  private readonly draft: Pick<StateDraft, 'hasCode' | 'putCode'>
  private readonly jobs = new Map<string, CodeJob>()

  constructor(draft: Pick<StateDraft, 'hasCode' | 'putCode'>) {
    this.draft = draft
  }

  /** Returns true if the code is there; else `whenThere` is called when it is. */
  has(hash: Hash32, whenThere: () => void): boolean {
    if (equalBytes(hash, emptyCodeHash)) return true
    const known = this.jobs.get(keyOf(hash))
    if (!known && this.draft.hasCode(hash)) return true
    if (known) known.whenThere.push(whenThere)
    else this.jobs.set(keyOf(hash), { hash, isAsked: false, whenThere: [whenThere] })
    return false
  }

  next(): WorkOf<'byteCodes'> | undefined {
    const taken = [...this.jobs.values()].filter(({ isAsked }) => !isAsked).slice(0, codesPerRequest)
    if (taken.length === 0) return undefined
    for (const job of taken) job.isAsked = true
    const hashes = taken.map(({ hash }) => hash)
    const giveBack = () => {
      for (const job of taken) job.isAsked = false
    }
    return {
      kind: 'byteCodes',
      request: { hashes, bytes: responseBytes },
      giveBack,
      receive: (codes) => {
        const found = verifyCodes(hashes, codes)
        giveBack()
        for (const [hash, code] of found ?? []) this.take(hash, code)
        return found !== undefined
      },
    }
  }

  private take(hash: Hash32, code: Uint8Array): void {
    const job = this.jobs.get(keyOf(hash))
    if (!job) return
    this.draft.putCode(hash, code)
    this.jobs.delete(keyOf(hash))
    for (const tell of job.whenThere) tell()
  }

  clear(): void {
    this.jobs.clear()
  }
}
