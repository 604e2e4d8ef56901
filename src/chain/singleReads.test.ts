import { describe, expect, test } from 'vitest'
import { createRandom } from '../../test/fuzz/random.ts'
import { withTempStore } from '../../test/support/tempStore.ts'
import { devSpec } from '../../test/support/testChain.ts'
import { writeBlocks, writtenTopics } from '../../test/support/writtenBlocks.ts'
import { emptyBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { createStateStore } from '../state/stateStore.ts'
import type { Store } from '../store/store.ts'
import { encodeTx, txHash } from '../types/encodeTx.ts'
import { encodeReceipt } from '../types/receipt.ts'
import { senderOf } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import { createChainView } from './createChainView.ts'
import { encodeReceipts, findReceipt } from './storedReceipts.ts'
import type { ChainView, StoredReceipt } from './view.ts'

function readView<T>(store: Store, ask: (view: ChainView) => T): T {
  const parts = { spec: devSpec, states: createStateStore(store), consensus: {} }
  return store.read((reader) => ask(createChainView(parts, reader, () => {})))
}

/** As text: to compare long arrays themselves takes a hundred times as long. */
const txParts = (tx: Tx | undefined) => tx && [encodeTx(tx), txHash(tx), senderOf(tx)!].map(toHex)

const receiptParts = (receipt: StoredReceipt | undefined) =>
  receipt && [receipt.gasUsed, ...[encodeReceipt(receipt), receipt.revertReason ?? emptyBytes].map(toHex)]

describe('one transaction or receipt of a block', () => {
  test('is what the whole block has at that index', () =>
    withTempStore((store) => {
      const blocks = writeBlocks(store, createRandom(11), 60)
      // All are read before the first is compared: nothing may lie in memory that later reads use.
      const found = readView(store, (view) =>
        blocks.map(({ hash, receipts }) =>
          Array.from(
            { length: receipts.length + 2 },
            (_, i) => [view.transactionAt(hash, i), view.receiptAt(hash, i)] as const,
          ),
        ),
      )
      for (const [n, { block, receipts }] of blocks.entries()) {
        let firstLogIndex = 0
        for (const [i, [tx, placed]] of found[n]!.entries()) {
          const receipt = receipts[i]
          expect(txParts(tx)).toEqual(txParts(block.transactions[i]))
          expect(receiptParts(placed?.receipt)).toEqual(receiptParts(receipt))
          expect(placed?.firstLogIndex).toBe(receipt && firstLogIndex)
          firstLogIndex += receipt?.logs.length ?? 0
        }
      }
    }))

  test('of an unknown block is not there', () =>
    withTempStore((store) => {
      writeBlocks(store, createRandom(12), 2)
      const found = readView(store, (view) => [
        view.transactionAt(writtenTopics[4]!, 0),
        view.receiptAt(writtenTopics[4]!, 0),
      ])
      expect(found).toEqual([undefined, undefined])
    }))

  test('is not taken from receipts that are cut off', () =>
    withTempStore((store) => {
      const blocks = writeBlocks(store, createRandom(13), 20)
      const { receipts } = blocks.find((block) => block.receipts.length === 5)!
      const bytes = encodeReceipts(receipts)
      for (let length = 4; length < bytes.length; length += 1 + (length >> 4))
        expect(() => findReceipt(bytes.slice(0, length), 4), `${length} bytes`).toThrow()
    }))
})
