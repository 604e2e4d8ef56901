import { expect, test } from 'vitest'
import { forks } from '../../src/forks/table.ts'
import { generateScenario } from './generate/scenario.ts'
import { compare, createImplementations } from './implementations.ts'

// A small fixed sample of what `npm run fuzz -- evm` does for as long as one likes.
const perFork = 16
const implementations = createImplementations()

test.each(forks.map(({ name }) => name))('engines and oracle agree on random scenarios of %s', (fork) => {
  for (let seed = 1; seed <= perFork; seed++) {
    const divergences = compare(generateScenario(seed, fork), implementations)
    expect(divergences, `npm run fuzz -- evm --fork ${fork} --count 1 --seed ${seed}`).toEqual([])
  }
})
