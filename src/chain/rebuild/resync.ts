import type { Evm } from '../../evm/evm.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { Clock } from '../../primitives/clock.ts'
import type { Logger } from '../../primitives/logger.ts'
import type { PublicState } from '../../state/publicState.ts'
import type { Store } from '../../store/openStore.ts'
import type { Snapshot } from '../../store/table.ts'
import type { Chain } from '../chain.ts'
import type { ConsensusEngine } from '../engine.ts'
import { createRebuild } from './rebuild.ts'
import { createSlices } from './slices.ts'

export interface ResyncParts {
  readonly spec: ChainSpec
  readonly store: Store
  readonly states: PublicState
  readonly consensus: Pick<ConsensusEngine, 'beneficiary' | 'reward'>
  readonly chain: Pick<Chain, 'exchangeState'>
  readonly createEngine: () => Evm
  /** Blocks behind the head whose states are kept; 0 keeps all. */
  readonly historyBlocks: number
  readonly clock: Clock
  readonly log: Logger
}

/** Rebuilds the chain's state from its blocks while the node goes on. */
export interface Resync {
  /** False while it is under way. */
  start(): boolean
  isRunning(): boolean
  /** Gives up what is under way; the state stays as it is. */
  close(): void
}

const reportEvery = 10_000

/**
 * The new state is built up beside the one that answers, in slices, and takes its place in one transaction once it is
 * the state of the head. Whatever goes wrong before, a crash included, leaves the old one; what was built is cleared.
 */
export function createResync(parts: ResyncParts): Resync {
  const { spec, store, states, consensus, chain, historyBlocks, clock, log } = parts
  const slices = createSlices(clock)
  let running = false

  const clear = (): boolean => store.write((txn) => states.clearSpare(txn))

  /** Removes what nobody uses. */
  function tidy(): void {
    slices.run(
      clear,
      () => {},
      (error) => log.warn({ error: String(error) }, 'a state that is not in use could not be removed'),
    )
  }

  function fail(error: unknown): void {
    running = false
    log.error({ error: String(error) }, 'the state could not be rebuilt; the one of before stays')
    tidy()
  }

  function inSnapshot<T>(read: (snapshot: Snapshot) => T): T {
    const snapshot = store.read()
    try {
      return read(snapshot)
    } finally {
      snapshot.close()
    }
  }

  function build(): void {
    const state = inSnapshot(states.spare)
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
        log.info({ number: rebuild.number() }, 'rebuilding the state')
      }
      return complete
    }

    function finish(): void {
      running = false
      log.info({ number: rebuild.number() }, 'the rebuilt state is in use')
      tidy()
    }

    slices.run(slice, finish, fail)
  }

  // A process that ended in the middle has left something behind.
  if (inSnapshot((snapshot) => states.spare(snapshot).head(snapshot))) tidy()

  return {
    start() {
      if (running) return false
      running = true
      log.info({}, 'rebuilding the state from the blocks')
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
