import { createEngine, type EngineKind } from '../../src/evm/engine.ts'
import { differences, type Observation } from './observation.ts'
import { observeEngine } from './observeEngine.ts'
import { observeOracle } from './observeOracle.ts'
import type { Scenario } from './scenario.ts'

/** One of the product's engines, to be compared with the oracle. */
export interface Implementation {
  readonly name: string
  observe(scenario: Scenario): Observation[]
}

function implementation(kind: EngineKind, flush: boolean): Implementation {
  const engine = createEngine(kind)
  const name = flush ? `${kind}, flushed after each transaction` : kind
  return { name, observe: (scenario) => observeEngine(engine, scenario, flush) }
}

/** Every build of the engine; one of them also with the host taking over in between. */
export function createImplementations(): Implementation[] {
  return [
    implementation('fast', false),
    implementation('exact', false),
    implementation('trace', false),
    implementation('fast', true),
  ]
}

/** Where an implementation and the oracle part. */
export interface Divergence {
  readonly implementation: string
  readonly tx: number
  readonly differences: readonly string[]
}

/** The first divergence of each implementation from what the oracle saw. */
export function compare(
  scenario: Scenario,
  implementations: readonly Implementation[],
  expected: readonly Observation[] = observeOracle(scenario),
): Divergence[] {
  return implementations.flatMap(({ name, observe }) => {
    let seen: readonly Observation[]
    try {
      seen = observe(scenario)
    } catch (error) {
      return [{ implementation: name, tx: 0, differences: [`threw ${error instanceof Error ? error.stack : error}`] }]
    }
    for (const [tx, want] of expected.entries()) {
      const found = differences(want, seen[tx]!)
      if (found.length > 0) return [{ implementation: name, tx, differences: found }]
    }
    return []
  })
}
