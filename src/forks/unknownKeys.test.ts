import { expect, test } from 'vitest'
import { toGenesisFile } from './genesisFile.ts'
import { unknownKeys } from './unknownKeys.ts'

const keysOf = (config: object) => unknownKeys(toGenesisFile({ config, gasLimit: '0x1', difficulty: '0x1' }))

test('misspelled keys are found, with what is meant', () => {
  const config = {
    chainId: 1,
    shangaiTime: 0,
    qbft: { blockperiodsecond: 2 },
    transitions: { qbft: [{ block: 5, blockPeriodSecs: 1 }] },
    'our own note': true,
  }
  expect(keysOf(config)).toEqual([
    { key: 'config.shangaitime', meant: 'shanghaiTime' },
    { key: 'config.our own note', meant: undefined },
    { key: 'config.qbft.blockperiodsecond', meant: 'blockPeriodSeconds' },
    { key: 'config.transitions.qbft.blockperiodsecs', meant: 'blockPeriodSeconds' },
  ])
})

test('files of Besu and geth in their own letters are fine, and so is what the parser refuses elsewhere', () => {
  expect(keysOf({ chainid: 1, londonBlock: 0, clique: { period: 5, epoch: 30000 }, ethash: {} })).toEqual([])
  expect(keysOf({ berlinBlock: 0, qbft: { blockperiodseconds: 2, epochlength: 3, requesttimeoutseconds: 4 } })).toEqual(
    [],
  )
  expect(keysOf({ clique: 'x', transitions: [], eip155Block: 0, terminalTotalDifficultyPassed: true })).toEqual([])
})
