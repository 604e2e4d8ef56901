import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toHex } from '../../src/primitives/hex.ts'
import { stateRoot } from '../oracle/stateRoot.ts'
import { createResultChecks, createStepCheck, diverging } from './checks.ts'
import { findingOfJson } from './finding.ts'
import { observeOracle } from './observeOracle.ts'
import { findingsFolder } from './report.ts'

const checks = [...createResultChecks(), createStepCheck()]

test.each(readdirSync(findingsFolder))('%s stays fixed', (file) => {
  const { scenario, roots } = findingOfJson(readFileSync(join(findingsFolder, file), 'utf8'))
  const seen = observeOracle(scenario)
  expect(seen.map(({ post }) => toHex(stateRoot(post)))).toEqual(roots.map(toHex))
  expect(diverging(scenario, checks, seen)).toEqual([])
})
