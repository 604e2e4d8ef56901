import type { ChainView, HashedBlock, HashedHeader, ReceiptInBlock, StoredReceipt } from '../chain/view.ts'
import { type Hash32, keyOf } from '../primitives/bytes.ts'
import type { Tx } from '../types/transaction.ts'

/**
 * What was read lately of blocks, by their hash: it never changes, and reading it, and recovering who sent transactions, is most of
 * what answers cost.
 */
export interface RecentBlocks {
  header(chain: ChainView, hash: Hash32): HashedHeader | undefined
  block(chain: ChainView, hash: Hash32): HashedBlock | undefined
  receipts(chain: ChainView, hash: Hash32): readonly StoredReceipt[] | undefined
  /** One transaction of a block; the others are not read for it. */
  transaction(chain: ChainView, hash: Hash32, index: number): Tx | undefined
  receipt(chain: ChainView, hash: Hash32, index: number): ReceiptInBlock | undefined
  /** Takes a block that is at hand, so that it need not be read. */
  put(block: HashedBlock): void
}

/** Bytes that all of it may take. */
const defaultRoom = 16 << 20
/** Bytes of a decoded block, transaction, receipt or log without its data, with the text that shows it; about. */
const objectSize = 2000
/** Data is kept as bytes and as hexadecimal text. */
const dataFactor = 3

function sizeOfTx({ data }: Tx): number {
  return objectSize + dataFactor * data.length
}

function sizeOfReceipt({ logs }: StoredReceipt): number {
  let size = objectSize
  for (const { data } of logs) size += objectSize + data.length
  return size
}

function sumOf<T>(list: readonly T[], sizeOf: (one: T) => number): number {
  let sum = 0
  for (const one of list) sum += sizeOf(one)
  return sum
}

/** What is known of one block: all of it, or single ones of its transactions and receipts. */
interface Known {
  size: number
  header: HashedHeader | undefined
  block: HashedBlock | undefined
  receipts: readonly StoredReceipt[] | undefined
  readonly singleTxs: Map<number, Tx>
  readonly singleReceipts: Map<number, ReceiptInBlock>
}

function newlyKnown(): Known {
  const nothing = { header: undefined, block: undefined, receipts: undefined }
  return { size: objectSize, ...nothing, singleTxs: new Map(), singleReceipts: new Map() }
}

/** The block that was first read longest ago goes first, with all that is known of it. */
export function createRecentBlocks(room: number = defaultRoom): RecentBlocks {
  const blocks = new Map<string, Known>()
  let used = 0

  function grow(hash: Hash32, size: number): Known {
    const key = keyOf(hash)
    let known = blocks.get(key)
    if (!known) {
      blocks.set(key, (known = newlyKnown()))
      used += known.size
    }
    known.size += size
    used += size
    for (const [old, { size: gone }] of blocks) {
      if (used <= room) break
      blocks.delete(old)
      used -= gone
    }
    return known
  }

  const find = (hash: Hash32): Known | undefined => blocks.get(keyOf(hash))

  function put(block: HashedBlock): void {
    if (!find(block.hash)?.block) grow(block.hash, sumOf(block.block.transactions, sizeOfTx)).block = block
  }

  return {
    header(chain, hash) {
      const known = find(hash)
      if (known?.block ?? known?.header) return known.block ?? known.header
      const header = chain.headerBy(hash)
      if (header) grow(hash, 0).header = header
      return header
    },
    block(chain, hash) {
      const known = find(hash)?.block
      if (known) return known
      const block = chain.blockBy(hash)
      if (block) put(block)
      return block
    },
    receipts(chain, hash) {
      const known = find(hash)?.receipts
      if (known) return known
      const receipts = chain.receipts(hash)
      if (receipts) grow(hash, sumOf(receipts, sizeOfReceipt)).receipts = receipts
      return receipts
    },
    transaction(chain, hash, index) {
      const known = find(hash)
      if (known?.block) return known.block.block.transactions[index]
      const single = known?.singleTxs.get(index)
      if (single) return single
      const tx = chain.transactionAt(hash, index)
      if (tx) grow(hash, sizeOfTx(tx)).singleTxs.set(index, tx)
      return tx
    },
    receipt(chain, hash, index) {
      const known = find(hash)
      if (known?.receipts) return inBlock(known.receipts, index)
      const single = known?.singleReceipts.get(index)
      if (single) return single
      const found = chain.receiptAt(hash, index)
      if (found) grow(hash, sizeOfReceipt(found.receipt)).singleReceipts.set(index, found)
      return found
    },
    put,
  }
}

function inBlock(receipts: readonly StoredReceipt[], index: number): ReceiptInBlock | undefined {
  const receipt = receipts[index]
  let firstLogIndex = 0
  for (let i = 0; i < index && receipt; i++) firstLogIndex += receipts[i]!.logs.length
  return receipt && { receipt, firstLogIndex }
}

/** The same view, reading of blocks through what is kept. */
export function rememberingView(chain: ChainView, recent: RecentBlocks): ChainView {
  const blockBy = (hash: Hash32) => recent.block(chain, hash)
  return {
    spec: chain.spec,
    head: chain.head,
    get isJoining() {
      return chain.isJoining
    },
    get past() {
      return chain.past
    },
    get finalized() {
      return chain.finalized
    },
    get safe() {
      return chain.safe
    },
    rulesOf: chain.rulesOf,
    hashAt: chain.hashAt,
    headerAt(number) {
      const hash = chain.hashAt(number)
      return hash && recent.header(chain, hash)
    },
    headerBy: (hash) => recent.header(chain, hash),
    parentOf: chain.parentOf,
    isCanonical: chain.isCanonical,
    body: (hash) => blockBy(hash)?.block,
    encodedHeader: chain.encodedHeader,
    encodedBody: chain.encodedBody,
    engineRecord: chain.engineRecord,
    blockAt(number) {
      const hash = chain.hashAt(number)
      return hash && blockBy(hash)
    },
    blockBy,
    totalDifficulty: chain.totalDifficulty,
    receipts: (hash) => recent.receipts(chain, hash),
    findTx: chain.findTx,
    transactionAt: (hash, index) => recent.transaction(chain, hash, index),
    receiptAt: (hash, index) => recent.receipt(chain, hash, index),
    stateAt: chain.stateAt,
    logs: (query) => chain.logs(query),
    latestLogs: (anyOf, from) => chain.latestLogs(anyOf, from),
    logsOf: chain.logsOf,
    get accountIndex() {
      return chain.accountIndex
    },
    get tokens() {
      return chain.tokens
    },
    appearances: chain.appearances,
    close: chain.close,
  }
}
