import { expect, test } from 'vitest'
import { mutants } from './mutants.ts'
import { createSimulator } from './simulate.ts'

/** Runs within which each bug has to show. */
const maxSeeds = 100

test.each(mutants)('$name is found', (mutant) => {
  const run = createSimulator({ engine: mutant.clique ? 'clique' : 'qbft', validators: 4, mutant })
  let broken: string | undefined
  for (let seed = 1; seed <= maxSeeds && broken === undefined; seed++) broken = run(seed).broken
  expect(broken).toBeDefined()
})
