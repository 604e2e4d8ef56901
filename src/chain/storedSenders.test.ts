import { expect, test } from 'vitest'
import { createChainStart, makeTransferBlocks } from '../../test/support/transferChain.ts'
import { devAccounts } from '../forks/devGenesis.ts'
import { toHex } from '../primitives/hex.ts'
import { senders } from '../store/chainTables.ts'
import { decodeBlock, encodeBlock } from '../types/block.ts'
import { isSenderKnown, senderOf } from '../types/signTx.ts'

const start = createChainStart()
const sender = `0x${devAccounts[0].address.toLowerCase()}`

/** What is known of the transaction in block 2, by each way to read it. */
function read({ chain }: ReturnType<typeof start>) {
  return chain.read((view) => {
    const { hash } = view.headerAt(2n)!
    const found = [
      view.transactionAt(hash, 0)!,
      view.body(hash)!.transactions[0]!,
      view.blockBy(hash)!.block.transactions[0]!,
    ]
    return found.map((tx) => [isSenderKnown(tx), toHex(senderOf(tx)!)])
  })
}

function importMade() {
  const node = start()
  // As they come from a peer: who has sent the transactions is not known.
  for (const block of makeTransferBlocks(start(), 3)) node.chain.importBlock(decodeBlock(encodeBlock(block)))
  return node
}

test('who sent a transaction is read, not recovered again', () => {
  expect(read(importMade())).toEqual(Array.from({ length: 3 }, () => [true, sender]))
})

test('blocks of earlier versions have no such row, and one that is cut off says nothing', () => {
  const node = importMade()
  node.store.write((txn) => {
    for (const [key, row] of txn.range(senders, {})) {
      expect(row).toHaveLength(20)
      txn.put(senders, key, row.subarray(0, 19))
    }
  })
  expect(read(node)).toEqual(Array.from({ length: 3 }, () => [false, sender]))
  node.store.write((txn) => {
    for (const [key] of txn.range(senders, {})) txn.remove(senders, key)
  })
  expect(read(node)).toEqual(Array.from({ length: 3 }, () => [false, sender]))
})
