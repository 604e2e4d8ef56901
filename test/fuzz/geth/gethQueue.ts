import type { AccountState } from '../../oracle/state.ts'
import type { Observation } from '../observation.ts'
import { observeOracle } from '../observeOracle.ts'
import type { Scenario } from '../scenario.ts'
import type { GethPeer } from './gethPeer.ts'
import { stateTestOf } from './stateTest.ts'

/** State tests that go to geth together. */
const batchSize = 400
/** Batches that may be under way while more is generated. */
const maxPending = 2

/** A transaction about which geth thinks otherwise. */
export interface Objection {
  readonly seed: number
  readonly scenario: Scenario
  readonly tx: number
  readonly error: string
}

type Subject = Omit<Objection, 'error'>

/** Each transaction as a state test with a name. */
function testsOf(seed: number, scenario: Scenario, seen: readonly Observation[]): [string, object, Subject][] {
  return scenario.txs.map((sent, tx) => {
    const pre = seen[tx - 1]?.post ?? scenario.pre
    return [`${seed}.${scenario.fork}.${tx}`, stateTestOf(scenario, pre, sent, seen[tx]!), { seed, scenario, tx }]
  })
}

/**
 * Geth knows no other limits than the public networks'. And it lets a contract be made where storage without code and
 * nonce lies, against EIP-7610 and the state tests.
 */
function isFitForGeth({ limits, pre }: Scenario): boolean {
  const isStorageAlone = ({ nonce, code, storage }: AccountState) =>
    nonce === 0n && code.length === 0 && storage.size > 0
  return Object.keys(limits).length === 0 && ![...pre.values()].some(isStorageAlone)
}

/** Collects transactions and has geth judge them many at a time. */
export type GethQueue = ReturnType<typeof createGethQueue>

export function createGethQueue(peer: GethPeer) {
  const objections: Objection[] = []
  const pending = new Set<Promise<void>>()
  let tests = new Map<string, object>()
  let subjects = new Map<string, Subject>()
  let judged = 0
  let broken: Error | undefined

  async function judge(batch: typeof tests, about: typeof subjects): Promise<Objection[]> {
    const verdicts = await peer.judge(batch)
    if (verdicts.length !== batch.size) throw new Error(`geth judged ${verdicts.length} of ${batch.size} tests`)
    return verdicts
      .filter(({ pass }) => !pass)
      .map(({ name, error }) => ({ ...about.get(name)!, error: error ?? 'no reason given' }))
  }

  function send(): void {
    const { size } = tests
    const batch = judge(tests, subjects)
      .then((found) => {
        objections.push(...found)
        judged += size
      })
      .catch((error: Error) => {
        broken = error
      })
      .finally(() => pending.delete(batch))
    pending.add(batch)
    tests = new Map()
    subjects = new Map()
  }

  function check(): void {
    if (broken) throw broken
  }

  return {
    /** Queues all transactions of a scenario; waits when geth is too far behind. */
    async add(seed: number, scenario: Scenario, seen: readonly Observation[]): Promise<void> {
      if (!isFitForGeth(scenario)) return
      for (const [name, test, subject] of testsOf(seed, scenario, seen)) {
        tests.set(name, test)
        subjects.set(name, subject)
      }
      if (tests.size < batchSize) return
      if (pending.size >= maxPending) await Promise.race(pending)
      check()
      send()
    },
    /** Has everything judged that is waiting. */
    async finish(): Promise<void> {
      if (tests.size > 0) send()
      await Promise.all(pending)
      check()
    },
    /** What geth has against a scenario, at once. */
    async judgeOne(scenario: Scenario): Promise<Objection[]> {
      if (!isFitForGeth(scenario) || scenario.txs.length === 0) return []
      const list = testsOf(0, scenario, observeOracle(scenario))
      return judge(
        new Map(list.map(([name, test]) => [name, test])),
        new Map(list.map(([name, , about]) => [name, about])),
      )
    },
    judged: () => judged,
    takeObjections: () => objections.splice(0),
  }
}
