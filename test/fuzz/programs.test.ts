import { expect, test } from 'vitest'
import { forks } from '../../src/forks/table.ts'
import { createResultChecks, createStepCheck, diverging } from './checks.ts'
import { generateScenario } from './generate/scenario.ts'
import { sweepGas, sweepJumps } from './generate/sweep.ts'

// A small fixed sample of what `npm run fuzz -- evm` does for as long as one likes.
const perFork = 12
const withSteps = 2
const results = createResultChecks()
const all = [...results, createStepCheck()]

test.each(forks.map(({ name }) => name))('engines and oracle agree on random scenarios of %s', (fork) => {
  for (let seed = 1; seed <= perFork; seed++) {
    const found = diverging(generateScenario(seed, fork), seed <= withSteps ? all : results)
    expect(found, `npm run fuzz -- evm --fork ${fork} --count 1 --seed ${seed}`).toEqual([])
  }
})

test.each(forks.map(({ name }) => name))(
  '%s: jumps to every position, and gas that ends at every instruction',
  (fork) => {
    const sweeps = [1, 2]
      .flatMap((seed) => [sweepJumps(seed, fork), sweepGas(seed, fork)])
      .filter((sweep) => sweep !== undefined)
    expect(sweeps.flatMap(({ txs }) => txs).length).toBeGreaterThan(100)
    for (const sweep of sweeps) expect(diverging(sweep, results)).toEqual([])
  },
)
