import { expect, test } from 'vitest'
import { createEvm } from '../../../src/evm/createEvm.ts'
import { forks } from '../../../src/forks/table.ts'
import { judgeEstimate } from './judge.ts'
import { generateCall } from './scenario.ts'

// A small fixed sample of what `npm run fuzz -- estimates` does for as long as one likes.
const perFork = 6
const points = 10
const evm = createEvm('exact')

test.each(forks.map(({ name }) => name))('estimates of random contract calls work and are low enough on %s', (fork) => {
  for (let seed = 1; seed <= perFork; seed++) {
    const verdict = judgeEstimate(evm, generateCall(seed, fork), points)
    expect(verdict?.problem, `npm run fuzz -- estimates --fork ${fork} --count 1 --seed ${seed}`).toBeUndefined()
  }
})
