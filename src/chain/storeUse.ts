import { runSteps, type Steps } from '../primitives/steps.ts'
import type { Store } from '../store/store.ts'
import type { Reader, Transaction } from '../store/table.ts'
import type { BlockRunner } from './blockRunner.ts'
import type { Proposals } from './proposals.ts'

/** How the chain uses its store: what the EVM and proposals remember never outlives the state that it was read from. */
export interface StoreUse {
  /** One write transaction; if it fails or is undone nothing of it is left, neither on disk nor in the EVM's memory. */
  write<T>(action: (txn: Transaction, undo: (result: T) => never) => T, to?: Pick<Store, 'write'>): T
  /** Steps that only read; they end early, with undefined, if the chain has been used otherwise between two of them. */
  readInSteps<T>(stepsOn: (reader: Reader) => Steps<T>): Steps<T | undefined>
  /** Another thread writes from now on. */
  delegate(): void
  endDelegation(): void
}

/** Counts uses, so that steps notice another one. */
class CountedUse implements StoreUse {
  private readonly store: Store
  private readonly runner: Pick<BlockRunner, 'forget'>
  private readonly proposals: Pick<Proposals, 'clear'>
  /** Counts those who use the EVM or write: what was begun before is not continued. */
  private uses = 0
  private isDelegated = false

  constructor(store: Store, runner: Pick<BlockRunner, 'forget'>, proposals: Pick<Proposals, 'clear'>) {
    this.store = store
    this.runner = runner
    this.proposals = proposals
  }

  write<T>(action: (txn: Transaction, undo: (result: T) => never) => T, to: Pick<Store, 'write'> = this.store): T {
    this.uses++
    if (this.isDelegated) {
      this.runner.forget()
      this.proposals.clear()
    }
    let undone: { readonly result: T } | undefined
    const undo = (result: T): never => {
      undone = { result }
      throw undone
    }
    try {
      return to.write((txn) => action(txn, undo))
    } catch (error) {
      this.runner.forget()
      if (undone && error === undone) return undone.result
      throw error
    }
  }

  *readInSteps<T>(stepsOn: (reader: Reader) => Steps<T>): Steps<T | undefined> {
    // The thread that writes can be held up for a moment only: all steps are one.
    if (this.isDelegated) return this.write((txn) => runSteps(stepsOn(txn)))
    const use = ++this.uses
    this.store.flush()
    const steps = stepsOn(this.store.latest)
    try {
      for (;;) {
        const { done, value } = steps.next()
        if (done) return value
        yield
        if (this.uses !== use) return undefined
      }
    } catch (error) {
      this.runner.forget()
      throw error
    }
  }

  readonly delegate: StoreUse['delegate'] = () => {
    this.isDelegated = true
    // Steps that were begun would go on in another state.
    this.uses++
  }

  readonly endDelegation: StoreUse['endDelegation'] = () => {
    this.isDelegated = false
    this.runner.forget()
  }
}

export function createStoreUse(
  store: Store,
  runner: Pick<BlockRunner, 'forget'>,
  proposals: Pick<Proposals, 'clear'>,
): StoreUse {
  return new CountedUse(store, runner, proposals)
}
