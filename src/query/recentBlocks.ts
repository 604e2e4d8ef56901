import type { ChainView, HashedBlock, StoredReceipt } from '../chain/view.ts'
import { type Hash32, keyOf } from '../primitives/bytes.ts'

/** Blocks and receipts that were read lately, by hash: they never change, and reading them is most of what answers cost. */
export interface RecentBlocks {
  block(chain: ChainView, hash: Hash32): HashedBlock | undefined
  receipts(chain: ChainView, hash: Hash32): readonly StoredReceipt[] | undefined
  /** Takes a block that is at hand, so that it need not be read. */
  put(block: HashedBlock): void
}

/** Bytes that blocks, and receipts, may take each. */
const defaultRoom = 8 << 20
/** Bytes of a decoded block, transaction, receipt or log without its data, with the text that shows it; about. */
const objectSize = 2000
/** Data is kept as bytes and as hexadecimal text. */
const dataFactor = 3

function sizeOfBlock({ block }: HashedBlock): number {
  let size = objectSize
  for (const { data } of block.transactions) size += objectSize + dataFactor * data.length
  return size
}

function sizeOfReceipts(receipts: readonly StoredReceipt[]): number {
  let size = objectSize
  for (const { logs } of receipts) {
    size += objectSize
    for (const { data } of logs) size += objectSize + data.length
  }
  return size
}

/** Keeps what was read last: the oldest goes first. */
function createKeeper<T>(room: number, sizeOf: (value: T) => number) {
  const kept = new Map<string, T>()
  let used = 0

  function keep(key: string, value: T): void {
    if (kept.has(key)) return
    kept.set(key, value)
    used += sizeOf(value)
    for (const [old, entry] of kept) {
      if (used <= room) break
      kept.delete(old)
      used -= sizeOf(entry)
    }
  }

  return {
    put: (hash: Hash32, value: T): void => keep(keyOf(hash), value),
    get(hash: Hash32, read: () => T | undefined): T | undefined {
      const key = keyOf(hash)
      const known = kept.get(key)
      if (known !== undefined) return known
      const value = read()
      if (value !== undefined) keep(key, value)
      return value
    },
  }
}

export function createRecentBlocks(room: number = defaultRoom): RecentBlocks {
  const blocks = createKeeper(room, sizeOfBlock)
  const receipts = createKeeper(room, sizeOfReceipts)
  return {
    block: (chain, hash) => blocks.get(hash, () => chain.blockBy(hash)),
    receipts: (chain, hash) => receipts.get(hash, () => chain.receipts(hash)),
    put: (block) => blocks.put(block.hash, block),
  }
}

/** The same view, reading blocks and receipts through what is kept. */
export function rememberingView(chain: ChainView, recent: RecentBlocks): ChainView {
  const blockBy = (hash: Hash32) => recent.block(chain, hash)
  return {
    spec: chain.spec,
    head: chain.head,
    get finalized() {
      return chain.finalized
    },
    get safe() {
      return chain.safe
    },
    rulesOf: chain.rulesOf,
    hashAt: chain.hashAt,
    headerAt: chain.headerAt,
    headerBy: chain.headerBy,
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
    stateAt: chain.stateAt,
    logs: chain.logs,
    logsOf: chain.logsOf,
    get accountIndex() {
      return chain.accountIndex
    },
    appearances: chain.appearances,
    close: chain.close,
  }
}
