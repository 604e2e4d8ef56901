import { expect, test } from 'vitest'
import { sampleOf } from '../support/wholeRun.ts'
import { mutants } from './mutants.ts'
import { findSlowRecovery } from './recoveryTable.ts'
import { createSimulator } from './simulate.ts'

// A few that show soon: `npm run sim -- --mutants` looks for all of them.
const maxSeeds = 50
const shownBySeeds = [
  'fewCommits',
  'oneProposer',
  'sameSignerTwice',
  'sameChangerTwice',
  'firstClaim',
  'anyRoundChange',
  'uncheckedSeals',
  'forgottenLock',
  'noRecord',
  'lostVote',
  'recordNotRewritten',
  'heldIsDropped',
  'repeatNotPassedOn',
  'failureStopsTimers',
  'unknownValidatorsForgotten',
  'noWiggle',
  'cliqueMajorityOfHalf',
]
const shownByRecoveries = ['noCatchUp', 'noFutureMessages', 'noRepeatOnLink', 'noCap', 'gateOnClaims']

const mutantOf = (name: string) => mutants.find((mutant) => mutant.name === name)!

test.each(sampleOf(shownBySeeds, 6))('%s is found', (name) => {
  const mutant = mutantOf(name)
  const { clique, validators = 4, faults, topology } = mutant
  const run = createSimulator({
    engine: clique ? 'clique' : 'qbft',
    validators,
    mutant,
    topology,
    ...(faults && { faults }),
  })
  let broken: string | undefined
  for (let seed = 1; seed <= maxSeeds && broken === undefined; seed++) broken = run(seed).broken
  expect(broken).toBeDefined()
})

test.each(['oldEngineGoesOn', 'newEngineLate'])('%s is found', (name) => {
  for (const engine of sampleOf(['ibft2-qbft', 'clique-qbft'] as const, 1))
    expect(createSimulator({ engine, validators: 4, mutant: mutantOf(name) })(1).broken).toBeDefined()
})

test.each(sampleOf(shownByRecoveries, 2))('%s makes recoveries slow', (name) => {
  expect(findSlowRecovery('qbft', mutantOf(name).bft!)).toBeDefined()
})
