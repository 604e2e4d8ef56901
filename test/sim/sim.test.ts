import { describe, expect, test } from 'vitest'
import { sampled } from '../support/wholeRun.ts'
import { createSimulator, engineNames } from './simulate.ts'

/** Runs that have to pass, fewer the more each costs: networks that change their engine have real signatures. `npm run sim` has more. */
const seeds = sampled({ 1: 8, 2: 8, 3: 8, 4: 12, 7: 2 }, { 1: 30, 2: 30, 3: 30, 4: 50, 7: 8 })
const seedsOfTopologies = sampled({ 4: 4, 7: 3, 10: 1 }, { 4: 15, 7: 10, 10: 4 })
const seedsOfChanges = sampled({ 1: 2, 2: 2, 3: 2, 4: 4 }, { 1: 8, 2: 8, 3: 8, 4: 16 })

describe.each(['qbft', 'ibft2'] as const)('%s', (engine) => {
  test.each(Object.entries(seedsOfTopologies))(
    '%s validators that are not all connected stand still nowhere',
    (validators, count) => {
      const run = createSimulator({ engine, validators: Number(validators), topology: 'random' })
      const broken = Array.from({ length: count }, (_, i) => run(i + 1)).filter(
        (outcome) => outcome.broken !== undefined,
      )
      expect(broken).toEqual([])
    },
  )
})

describe.each(engineNames)('%s', (engine) => {
  const counts: Readonly<Record<number, number>> = engine.includes('-') ? seedsOfChanges : seeds

  test.each(Object.entries(counts))('%s validators keep all promises', (validators, count) => {
    const run = createSimulator({ engine, validators: Number(validators) })
    const broken = Array.from({ length: count }, (_, i) => run(i + 1)).filter((outcome) => outcome.broken !== undefined)
    expect(broken).toEqual([])
  })

  test('a run comes again with its seed, and others do not', () => {
    const traceOf = (seed: number) => {
      const lines: string[] = []
      createSimulator({ engine, validators: 4 })(seed, (line) => lines.push(line))
      return lines.join('\n')
    }
    expect(traceOf(11)).toBe(traceOf(11))
    expect(traceOf(11)).not.toBe(traceOf(12))
  })

  test('with real signatures', () => {
    const run = createSimulator({ engine, validators: 4, realCrypto: true })
    expect(run(1).broken).toBeUndefined()
  })
})
