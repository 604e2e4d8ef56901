import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../primitives/packageRoot.ts'
import { createChainSpec } from './chainSpec.ts'
import { toGenesisFile } from './genesisFile.ts'
import {
  bftTransitionKeys,
  cliqueTransitionKeys,
  configKeys,
  ibft2TransitionKeys,
  type KeyDecision,
  sectionKeys,
} from './genesisKeys.ts'
import { unknownKeys } from './unknownKeys.ts'

/** The keys that Besu 24 to 26.8 reads, by section, and what becomes of each. */
const keysOfBesu = JSON.parse(readFileSync(join(packageRoot, 'test/fixtures/besuGenesisKeys.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>

const tables: Readonly<Record<string, Readonly<Record<string, KeyDecision>>>> = {
  config: configKeys,
  ...Object.fromEntries(Object.entries(sectionKeys).map(([name, keys]) => [`config.${name}`, keys])),
  'config.transitions.clique': cliqueTransitionKeys,
  'config.transitions.ibft2': ibft2TransitionKeys,
  'config.transitions.qbft': bftTransitionKeys,
}
const verdictOf = (decision: KeyDecision | undefined) =>
  typeof decision === 'object' ? Object.keys(decision)[0] : decision

test.each(Object.entries(keysOfBesu))('every key of Besu in %s is decided', (section, keys) => {
  const decided = Object.keys(keys).map((key) => [key, verdictOf(tables[section]?.[key])])
  expect(Object.fromEntries(decided)).toEqual(keys)
})

const specOf = (config: object) => createChainSpec(toGenesisFile({ gasLimit: '0x1', difficulty: '0x1', config }))
const refusals = Object.entries(configKeys).flatMap(([key, decision]) =>
  typeof decision === 'object' && 'refused' in decision ? [[key, decision.refused] as const] : [],
)

test.each(refusals)('%s is refused with a sentence', (key, reason) => {
  for (const name of [key, key.toUpperCase()]) expect(() => specOf({ [name]: 1, qbft: {} })).toThrow(reason)
  expect(() => specOf({ [key]: false, qbft: {} })).not.toThrow()
})

test('a transition of Besu that begins at a time is refused', () => {
  const transitions = { qbft: [{ block: 5, timestamp: 7 }] }
  expect(() => specOf({ qbft: {}, transitions })).toThrow('config.transitions.qbft.timestamp')
})

test('the fixed difficulty is that of Besu 26 by its new name', () => {
  const config = { fixedDifficulty: { fixedDifficulty: 7 }, ethash: { fixedDifficulty: 8 } }
  expect(specOf(config).consensus).toEqual({ kind: 'ethash', fixedDifficulty: 7n })
})

test('what is refused or ignored is not unknown', () => {
  const config = Object.fromEntries(Object.keys(configKeys).map((key) => [key, 0]))
  expect(unknownKeys(toGenesisFile({ gasLimit: '0x1', difficulty: '0x1', config }))).toEqual([])
})
