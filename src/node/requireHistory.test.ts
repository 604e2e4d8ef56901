import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBlock, openTestChain, removeFolder, type TestChain } from '../../test/support/testChain.ts'
import { writePast } from '../chain/takeOver/past.ts'
import { requireHistory } from './requireHistory.ts'

let node: TestChain

beforeAll(() => {
  node = openTestChain()
  for (let i = 0; i < 10; i++) makeBlock(node.chain)
})
afterAll(async () => {
  await node.close()
  removeFolder(node.path)
})

const check = (executed: number) => node.chain.read((view) => requireHistory(view, executed))

test('private transactions need the state where they go on, and all blocks from there', () => {
  expect(() => check(0)).not.toThrow()
  node.store.write((txn) => writePast(txn, { first: 4, wanted: 4, sealed: 1, perMinute: 0 }))
  expect(() => check(2)).toThrow('go on at block 3, but the blocks or states before block 4 are not here')
  expect(() => check(3)).not.toThrow()
  node.chain.prune(6)
  expect(() => check(5)).toThrow('go on at block 6, but the blocks or states before block 6 are not here')
  expect(() => check(6)).not.toThrow()
})
