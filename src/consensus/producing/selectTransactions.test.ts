import { expect, test } from 'vitest'
import { account, feeMarketTransfer, sentBy } from '../../../test/support/poolFixtures.ts'
import type { BlockRun } from '../../execution/applyBlock.ts'
import type { BestTransactions } from '../../pool/bestTransactions.ts'
import type { PoolEntry } from '../../pool/entry.ts'
import { zeroHash } from '../../primitives/bytes.ts'
import { runSteps } from '../../primitives/steps.ts'
import { blobHashesOf, type Tx } from '../../types/transaction.ts'
import { type SelectionSettings, selectTransactions } from './selectTransactions.ts'

const settings: Omit<SelectionSettings, 'maxBlobs'> = {
  baseFee: 0n,
  gasLimit: 30_000_000n,
  maxBytes: 1_000_000,
  minGasPrice: 0n,
  minPriorityFee: 0n,
  minOccupancy: 0.8,
  isEnough: () => false,
  findRefusal: () => undefined,
  drop: () => expect.fail('nothing is invalid'),
}

function blobTransfer(sender: number, blobs: number): Tx {
  const plain = feeMarketTransfer(sender, 0, { maxFee: 1n, maxPriorityFee: 1n })
  const blobHashes = Array<typeof zeroHash>(blobs).fill(zeroHash)
  return sentBy(account(sender), { ...plain, to: plain.to!, type: 3, maxBlobFee: 1n, blobHashes })
}

/** Numbers of blobs of the transactions that a block takes, of those that each sender offers. */
function taken(offered: readonly number[], maxBlobs: number | undefined): number[] {
  const entries = offered.map((count, i) => ({ tx: blobTransfer(i + 1, count), priority: false }) as PoolEntry)
  const best = { next: () => entries.shift(), skipSender: () => {} } as unknown as BestTransactions
  const run = { pool: { gas: 30_000_000n, blobGas: 10_000_000n }, add: () => undefined } as unknown as BlockRun
  return runSteps(selectTransactions(run, best, { ...settings, maxBlobs })).map((tx) => blobHashesOf(tx).length)
}

test('a block has no more blobs than the operator wants; smaller ones fill it', () => {
  expect(taken([2, 3, 1, 1], 4)).toEqual([2, 1, 1])
  expect(taken([2, 3, 1], undefined)).toEqual([2, 3, 1])
  expect(taken([1], 0)).toEqual([])
})
