import { expect, test } from 'vitest'
import { zeroHash } from '../primitives/bytes.ts'
import { blankHeader, type Header } from '../types/header.ts'
import { createChainSpec } from './chainSpec.ts'
import { forkWarnings } from './forkWarnings.ts'
import { toGenesisFile } from './genesisFile.ts'
import { systemAccountKeys } from './systemAccounts.ts'

const now = 1_800_000_000n
const day = 86_400
const soon = Number(now) + 3 * day
const head: Header = { ...blankHeader, number: 10n, timestamp: now - 5n, difficulty: 1n }

function warn(config: object, { hasCode = false, at = head }: { hasCode?: boolean; at?: Header } = {}) {
  const spec = createChainSpec(
    toGenesisFile({ gasLimit: '0x1', difficulty: '0x1', config: { londonBlock: 0, ...config } }),
  )
  return forkWarnings(spec, { head: at, now, hasCode: () => hasCode }).map(({ text, isFatal }) => [isFatal, text])
}
const named = systemAccountKeys('prague')

test('a fork without the contracts that it calls is told of from a week before', () => {
  const fatal = [
    [true, expect.stringMatching(/^prague begins at 2027-.*no block can be made.*0x00000961.* and 0x0000bbdd/)],
  ]
  expect(warn({ qbft: {}, ...named, pragueTime: soon })).toEqual(fatal)
  expect(warn({ qbft: {}, quoin: { systemCalls: true }, pragueTime: soon })).toEqual(fatal)
  expect(warn({ qbft: {}, ...named, pragueTime: soon + 5 * day })).toEqual([])
  expect(warn({ qbft: {}, ...named, pragueTime: soon }, { hasCode: true })).toEqual([])
  expect(warn({ qbft: {}, quoin: { placeSystemContracts: true }, pragueTime: soon })).toEqual([])
  // The head is behind, and the fork has begun meanwhile.
  expect(warn({ qbft: {}, ...named, pragueTime: Number(now) - 1 })).toEqual(fatal)
})

test('both forks of one time are told of', () => {
  expect(warn({ qbft: {}, ...named, pragueTime: soon, osakaTime: soon + day })).toHaveLength(2)
})

test('a fork that calls nothing stops old versions of Besu', () => {
  expect(warn({ qbft: {}, pragueTime: soon })).toEqual([
    [false, expect.stringContaining('Besu up to 25.12 makes no block')],
  ])
  expect(warn({ ethash: {}, pragueTime: soon }, { hasCode: true })).toEqual([])
  expect(warn({ qbft: {}, cancunTime: soon })).toEqual([])
})

test('a file that was changed too late, or back, is named', () => {
  const past = Number(head.timestamp) - 100
  expect(warn({ qbft: {}, pragueTime: past })).toEqual([[true, expect.stringContaining('which was made without it')]])
  const ofPrague = { ...head, requestsHash: zeroHash }
  expect(warn({ qbft: {}, pragueTime: past }, { at: ofPrague })).toEqual([])
  expect(warn({ qbft: {} }, { at: ofPrague })).toEqual([[true, expect.stringContaining('says nothing')]])
})

test('a new network that names contracts has them', () => {
  const genesis = { ...head, number: 0n, timestamp: 0n }
  expect(warn({ qbft: {}, ...named, pragueTime: 0 }, { at: genesis })).toEqual([
    [true, expect.stringContaining('no block can be made under prague')],
  ])
  expect(warn({ qbft: {}, pragueTime: 0 }, { at: genesis })).toEqual([])
})
