import { expect, test } from 'vitest'
import { createChainSpec } from './chainSpec.ts'
import { toGenesisFile } from './genesisFile.ts'
import { systemAccountKeys, systemAccounts } from './systemAccounts.ts'
import { unclearRules } from './unclearRules.ts'

const textsOf = (config: object, alloc: object = {}) =>
  unclearRules(createChainSpec(toGenesisFile({ gasLimit: '0x1', difficulty: '0x1', config, alloc }))).map(
    ({ text }) => text,
  )

test('transitions behind a fork by time', () => {
  const transitions = { qbft: [{ block: 5, blockreward: 1 }] }
  expect(textsOf({ shanghaiTime: 0, qbft: {}, transitions })).toEqual([
    expect.stringContaining('transitions.qbft 5 counts as a time'),
  ])
  expect(textsOf({ londonBlock: 0, qbft: {}, transitions })).toEqual([])
})

test('system contracts that are there without being named', () => {
  const alloc = systemAccounts('prague')
  const pragueTime = 4_000_000_000
  expect(textsOf({ pragueTime, qbft: {} }, alloc)).toEqual([expect.stringContaining('alloc has system contracts')])
  for (const systemCalls of [true, false])
    expect(textsOf({ pragueTime, qbft: {}, quoin: { systemCalls } }, alloc)).toEqual([])
  expect(textsOf({ pragueTime, qbft: {}, ...systemAccountKeys('prague') }, alloc)).toEqual([])
  expect(textsOf({ pragueTime, qbft: {}, quoin: { placeSystemContracts: true } }, alloc)).toEqual([])
  expect(textsOf({ pragueTime, qbft: {} })).toEqual([])
  expect(textsOf({ pragueTime, ethash: {} }, alloc)).toEqual([])
  expect(textsOf({ cancunTime: 0, qbft: {} }, alloc)).toHaveLength(1)
  expect(textsOf({ shanghaiTime: 0, qbft: {} }, alloc)).toEqual([])
})

test('epochs after a change of the consensus', () => {
  const change = { ibft2: {}, qbft: { startblock: 8, epochlength: 5 } }
  expect(textsOf(change)).toEqual([expect.stringContaining('epochs of QBFT count from block 7')])
  for (const epochsFromStartBlock of [true, false])
    expect(textsOf({ ...change, quoin: { epochsFromStartBlock } })).toEqual([])
  expect(textsOf({ ...change, qbft: { startblock: 11, epochlength: 5 } })).toEqual([])
  expect(textsOf({ ...change, ibft2: undefined, clique: {} })).toEqual([])
})

test('a base fee that stays the same, under prague', () => {
  expect(textsOf({ qbft: {}, fixedBaseFee: true, pragueTime: 5 })).toEqual([expect.stringContaining('fixedBaseFee')])
  expect(textsOf({ qbft: {}, fixedBaseFee: true, cancunTime: 5 })).toEqual([])
})

test('a file that Besu takes for one of geth', () => {
  expect(textsOf({ qbft: {}, mergeNetsplitBlock: 0 })).toEqual([expect.stringContaining('one of geth')])
  expect(textsOf({ qbft: {}, mergeNetSplitBlock: 0 })).toEqual([])
  expect(textsOf({ ethash: {}, mergeNetsplitBlock: 0 })).toEqual([])
})
