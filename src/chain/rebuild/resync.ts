import type { Evm } from '../../evm/evm.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { PublicState } from '../../state/publicState.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { Chain } from '../chain.ts'
import type { ConsensusEngine } from '../engine.ts'
import { PastError } from '../takeOver/fault.ts'
import { readPast } from '../takeOver/past.ts'
import { createRebuild } from './rebuild.ts'
import { createSlices } from './slices.ts'

export interface ResyncParts {
  readonly spec: ChainSpec
  readonly store: Store
  readonly states: PublicState
  readonly consensus: Pick<ConsensusEngine, 'hash' | 'beneficiary' | 'reward'>
  readonly chain: Pick<Chain, 'exchangeState'>
  readonly createEngine: () => Evm
  /** Blocks behind the head whose states are kept; 0 keeps all. */
  readonly historyBlocks: number
  readonly clock: Clock
  readonly log: Logger
}

/** Rebuilds the chain's state from its blocks while the node is running. */
export interface Resync {
  /** Starts a rebuild; returns false if one is running. */
  start(): boolean
  isRunning(): boolean
  /** Abandons a rebuild; the state stays as it is. */
  close(): void
}

const reportEvery = 10_000

/**
 * The new state is built in other tables, in slices, and replaces the one in use in one transaction once it is the
 * state of the head. A failure before, a crash included, leaves the old state in use; the unfinished one is removed.
 */
export function createResync(parts: ResyncParts): Resync {
  const { spec, store, states, consensus, chain, historyBlocks, clock, log } = parts
  const slices = createSlices(clock)
  let running = false

  const clear = (): boolean => store.write((txn) => states.clearSpare(txn))

  /** Removes the tables that are not in use. */
  function tidy(): void {
    slices.run(
      clear,
      () => {},
      (error) => log.warn({ error: String(error) }, 'unused state could not be removed'),
    )
  }

  function fail(error: unknown): void {
    running = false
    log.error({ error: String(error) }, 'state could not be rebuilt; the old one stays in use')
    tidy()
  }

  function build(): void {
    const state = store.read(states.spare)
    const rebuild = createRebuild({ spec, consensus, evm: parts.createEngine(), state, historyBlocks })
    let reportAt = clock.now() + reportEvery

    function slice(goOn: () => boolean): boolean {
      const complete = store.write((txn) => {
        rebuild.advance(txn, goOn)
        return rebuild.isComplete(txn)
      })
      if (complete) chain.exchangeState(states.exchange)
      else if (clock.now() >= reportAt) {
        reportAt = clock.now() + reportEvery
        log.info({ number: rebuild.number() }, 'rebuilding state')
      }
      return complete
    }

    function finish(): void {
      running = false
      log.info({ number: rebuild.number() }, 'rebuilt state is in use')
      tidy()
    }

    slices.run(slice, finish, fail)
  }

  // A process that ended during a rebuild has left its tables behind.
  if (store.read((reader) => states.spare(reader).head(reader))) tidy()

  return {
    start() {
      if (running) return false
      const past = store.read(readPast)
      if (past && past.first > 1) throw new PastError({ code: 'BLOCK_NOT_HERE', block: 1, past })
      running = true
      log.info({}, 'rebuilding state from blocks')
      slices.run(clear, build, fail)
      return true
    },
    isRunning: () => running,
    close() {
      slices.stop()
      running = false
    },
  }
}
