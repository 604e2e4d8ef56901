import { appendCanonical } from '../../src/chain/canonical.ts'
import { keyOfBlock, writeBody, writeHeader, writeReceipts } from '../../src/chain/records.ts'
import type { HashedBlock, StoredReceipt } from '../../src/chain/view.ts'
import { type Address, type Hash32, zeroHash } from '../../src/primitives/bytes.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import type { Store } from '../../src/store/store.ts'
import type { Transaction } from '../../src/store/table.ts'
import { bloomOf } from '../../src/types/bloom.ts'
import { blankHeader, encodeHeader } from '../../src/types/header.ts'
import type { Log } from '../../src/types/log.ts'
import { signTx } from '../../src/types/signTx.ts'
import type { Tx, UnsignedTx } from '../../src/types/transaction.ts'
import type { Random } from '../fuzz/random.ts'
import { devKey, devSpec } from './testChain.ts'

/** Few addresses and topics, so that many logs have the same ones; some differ in their first or last byte only. */
export const writtenAddresses: readonly Address[] = [0x70cen, 0x70cfn, 1n, (1n << 152n) | 1n].map(
  (n) => bigIntToFixed(n, 20) as Address,
)
export const writtenTopics: readonly Hash32[] = [0n, 1n, 2n, 3n, (1n << 248n) | 1n].map(
  (n) => bigIntToFixed(n, 32) as Hash32,
)

/** Bytes of the lengths at which RLP changes its form, and of others. */
function someBytes(random: Random): Uint8Array {
  const length = random.pick([
    0,
    1,
    1,
    32,
    32,
    55,
    56,
    64,
    255,
    256,
    random.below(400),
    70_000 * +(random.below(200) === 0),
  ])
  return new Uint8Array(length).fill(random.pick([0, 1, 0x7f, 0x80, 0xff]))
}

function someLog(random: Random): Log {
  const topics = Array.from({ length: random.below(5) }, () => random.pick(writtenTopics))
  return { address: random.pick(writtenAddresses), topics, data: someBytes(random) }
}

function someTx(random: Random, nonce: bigint): Tx {
  const chainId = devSpec.chainId
  const to = random.pick([undefined, ...writtenAddresses])
  const fields = {
    chainId,
    nonce,
    gasLimit: BigInt(21_000 + random.below(1 << 24)),
    to,
    value: BigInt(random.below(3)),
    data: someBytes(random),
  }
  const accessList = random.below(2) === 0 ? [] : [{ address: random.pick(writtenAddresses), slots: writtenTopics }]
  const fees = { maxFee: 3000n, maxPriorityFee: BigInt(random.below(2000)) }
  const recipient = to ?? writtenAddresses[0]!
  const kinds: UnsignedTx[] = [
    { type: 0, gasPrice: 2000n, ...fields },
    { type: 0, gasPrice: 2000n, ...fields, chainId: undefined },
    { type: 1, gasPrice: 2000n, accessList, ...fields },
    { type: 2, ...fees, accessList, ...fields },
    { type: 3, ...fees, accessList, ...fields, to: recipient, maxBlobFee: 7n, blobHashes: [writtenTopics[1]!] },
    { type: 4, ...fees, accessList, ...fields, to: recipient, authorizations: [] },
  ]
  return signTx(random.pick(kinds), devKey)
}

function someReceipt(random: Random, { type }: Tx): Omit<StoredReceipt, 'cumulativeGasUsed'> {
  const outcome = random.pick([0, 1, 1, 1, keccak256(Uint8Array.of(random.below(256)))] as const)
  const logs = outcome === 0 ? [] : Array.from({ length: random.pick([0, 1, 1, 2, 7]) }, () => someLog(random))
  const gasUsed =
    random.below(50) === 0 ? (1n << 60n) + BigInt(random.below(1000)) : BigInt(21_000 + random.below(1 << 24))
  const revertReason = outcome === 0 && random.below(2) === 0 ? Uint8Array.of(random.below(256)) : undefined
  return { type, outcome, gasUsed, logs, logsBloom: bloomOf(logs), revertReason }
}

/** A block as it was given to the store. */
export interface WrittenBlock extends HashedBlock {
  readonly receipts: readonly StoredReceipt[]
}

function someBlock(random: Random, number: number, parentHash: Hash32): WrittenBlock {
  const transactions = Array.from({ length: random.pick([0, 1, 2, 5, 30]) }, (_, i) =>
    someTx(random, BigInt(1000 * number + i)),
  )
  let cumulativeGasUsed = 0n
  const receipts = transactions.map((tx) => {
    const receipt = someReceipt(random, tx)
    cumulativeGasUsed += receipt.gasUsed
    return { ...receipt, cumulativeGasUsed }
  })
  const isEmpty = transactions.length === 0
  const header = {
    ...blankHeader,
    parentHash,
    number: BigInt(number),
    baseFee: 1000n,
    logsBloom: bloomOf(receipts.flatMap(({ logs }) => logs)),
    ...(!isEmpty && { transactionsRoot: writtenTopics[1]!, receiptsRoot: writtenTopics[2]! }),
  }
  return {
    header,
    hash: keccak256(encodeHeader(header)),
    block: { header, transactions, ommers: [], withdrawals: undefined },
    receipts,
  }
}

function write(txn: Transaction, written: WrittenBlock): void {
  const key = keyOfBlock(written)
  writeHeader(txn, { ...written, totalDifficulty: 1n })
  writeBody(txn, key, written.block)
  writeReceipts(txn, key, written.receipts)
}

/**
 * Puts random blocks into an empty store, as a chain would write them, but nobody has run them. The last one is beside the chain.
 */
export function writeBlocks(store: Store, random: Random, count: number, indexLogs = true): readonly WrittenBlock[] {
  const blocks: WrittenBlock[] = []
  store.write((txn) => {
    let parent: Hash32 = zeroHash
    for (let number = 0; number < count; number++) {
      const written = someBlock(random, number, parent)
      write(txn, written)
      const { block, receipts, hash } = written
      appendCanonical(txn, keyOfBlock(written), block.transactions, receipts, { indexLogs, indexPace: undefined })
      blocks.push(written)
      parent = hash
    }
    const beside = someBlock(random, count - 1, parent)
    write(txn, beside)
    blocks.push(beside)
  })
  return blocks
}
