import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import type { BlockChoice } from '../state/flat.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { StateView } from '../state/view.ts'
import { type BlockKey, engineRecords, transactions } from '../store/chainTables.ts'
import type { Reader } from '../store/table.ts'
import { readIndexRange } from './accounts/accountIndex.ts'
import { findAppearances } from './accounts/findAppearances.ts'
import type { ConsensusEngine } from './engine.ts'
import { candidateBlocks, mayMatch } from './logs/candidateBlocks.ts'
import {
  canonicalKey,
  findBlock,
  isCanonicalKey,
  peekBloom,
  readBlock,
  readBody,
  readEncodedBody,
  readEncodedHeader,
  readHeader,
  readLogs,
  readMark,
  readReceipt,
  readReceipts,
  readTx,
  requireHead,
} from './records.ts'
import type { ChainView, HashedHeader, LogConditions, PlacedLog } from './view.ts'

interface ViewParts {
  readonly spec: ChainSpec
  readonly states: StateStore
  readonly consensus: Pick<ConsensusEngine, 'isFinal'>
}

/** A view of a snapshot, or of a write transaction. */
export function createChainView({ spec, states, consensus }: ViewParts, reader: Reader, close: () => void): ChainView {
  const head = requireHead(reader)
  let stateAfter: ((at: BlockChoice) => StateView) | undefined

  function marked(mark: 'safe' | 'finalized'): HashedHeader | undefined {
    const key = readMark(reader, mark)
    if (key) return readHeader(reader, key)
    return consensus.isFinal?.(head.header) ? head : undefined
  }

  type Read<T> = (reader: Reader, key: BlockKey) => T | undefined

  /** Reads something of the canonical block of a number. */
  const at =
    <T>(read: Read<T>) =>
    (number: bigint) => {
      const key = canonicalKey(reader, number)
      return key && read(reader, key)
    }

  /** Reads something of the block of a hash. */
  const by =
    <T>(read: Read<T>) =>
    (hash: Hash32) => {
      const key = findBlock(reader, hash)
      return key && read(reader, key)
    }

  const logsAt = (number: bigint, conditions: LogConditions): readonly PlacedLog[] =>
    at((from, key) => readLogs(from, key, conditions))(number) ?? []

  const view: ChainView = {
    spec,
    head,
    get finalized() {
      return marked('finalized')
    },
    get safe() {
      return marked('safe')
    },
    rulesOf: (header) => spec.rulesAt(header),
    hashAt: (number) => canonicalKey(reader, number)?.hash,
    headerAt: at(readHeader),
    headerBy: by(readHeader),
    parentOf: ({ number, parentHash }) =>
      number > 0n ? readHeader(reader, { number: Number(number) - 1, hash: parentHash }) : undefined,
    isCanonical(hash) {
      const key = findBlock(reader, hash)
      return key !== undefined && isCanonicalKey(reader, key)
    },
    body: by(readBody),
    encodedHeader(hash, number) {
      const key = number === undefined ? findBlock(reader, hash) : { number: Number(number), hash }
      return key && readEncodedHeader(reader, key)
    },
    encodedBody: by(readEncodedBody),
    engineRecord: (hash, number) => reader.get(engineRecords, { number: Number(number), hash }),
    blockAt: at(readBlock),
    blockBy: by(readBlock),
    totalDifficulty(hash) {
      const key = findBlock(reader, hash)
      return key && readHeader(reader, key)?.totalDifficulty
    },
    receipts: by(readReceipts),
    findTx(hash) {
      const place = reader.get(transactions, hash)
      return place && { blockNumber: BigInt(place.number), index: place.index }
    },
    transactionAt(hash, index) {
      const key = findBlock(reader, hash)
      return key && readTx(reader, key, index)
    },
    receiptAt(hash, index) {
      const key = findBlock(reader, hash)
      return key && readReceipt(reader, key, index)
    },
    stateAt(number) {
      stateAfter ??= states.views(reader)
      return stateAfter(number === head.header.number ? 'latest' : Number(number))
    },
    *logs(query) {
      const last = query.toBlock < head.header.number ? query.toBlock : head.header.number
      for (const number of candidateBlocks(reader, query, Number(query.fromBlock), Number(last)))
        yield* logsAt(BigInt(number), query)
    },
    logsOf(hash, conditions) {
      const key = findBlock(reader, hash)
      const bloom = key && peekBloom(reader, key)
      return bloom && mayMatch(bloom, conditions) ? readLogs(reader, key, conditions) : []
    },
    get accountIndex() {
      return readIndexRange(reader)
    },
    appearances: (address, from, order) => findAppearances(reader, address, Number(from), order),
    close,
  }
  return view
}
