import type { ChainSpec } from '../forks/chainSpec.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import type { BlockChoice } from '../state/flat.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { StateView } from '../state/view.ts'
import { type BlockKey, engineRecords, transactions } from '../store/chainTables.ts'
import type { Reader } from '../store/table.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { accountIndex } from './accounts/accountIndex.ts'
import { findAppearances } from './accounts/findAppearances.ts'
import type { ConsensusEngine } from './engine.ts'
import { bloomedBlocks, candidateBlocks, mayMatch } from './logs/candidateBlocks.ts'
import { latestLogs } from './logs/latestLogs.ts'
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
  requireHeaderRecord,
} from './records.ts'
import { PastError } from './takeOver/fault.ts'
import { type Past, readPast } from './takeOver/past.ts'
import { createTokenView } from './tokens/createTokenView.ts'
import type { ChainView, HashedHeader, LogConditions, LogQuery, PlacedLog } from './view.ts'

type Read<T> = (reader: Reader, key: BlockKey) => T | undefined

interface ViewParts {
  readonly spec: ChainSpec
  readonly states: StateStore
  readonly consensus: Pick<ConsensusEngine, 'isFinal'>
}

/** Answers from the tables as one reader sees them. */
class StoredChainView implements ChainView {
  private readonly parts: ViewParts
  private readonly reader: Reader
  readonly close: () => void
  readonly head: ReturnType<typeof requireHead>
  private readPast: { readonly value: Past | undefined } | undefined
  private stateAfter: ((at: BlockChoice) => StateView) | undefined
  readonly spec: ChainView['spec']
  readonly headerAt: ChainView['headerAt']
  readonly headerBy: ChainView['headerBy']
  readonly body: ChainView['body']
  readonly encodedBody: ChainView['encodedBody']
  readonly blockAt: ChainView['blockAt']
  readonly blockBy: ChainView['blockBy']
  readonly receipts: ChainView['receipts']

  constructor(parts: ViewParts, reader: Reader, close: () => void) {
    this.close = close
    this.reader = reader
    this.parts = parts
    this.head = requireHead(reader)
    this.spec = parts.spec
    this.headerAt = this.at(readHeader)
    this.headerBy = this.by(readHeader)
    this.body = this.by(this.wholly(readBody))
    this.encodedBody = this.by(this.wholly(readEncodedBody))
    this.blockAt = this.at(this.wholly(readBlock))
    this.blockBy = this.by(this.wholly(readBlock))
    this.receipts = this.by(this.wholly(readReceipts))
  }

  private marked(mark: 'safe' | 'finalized'): HashedHeader | undefined {
    const key = readMark(this.reader, mark)
    if (key) return readHeader(this.reader, key)
    return this.parts.consensus.isFinal?.(this.head.header) ? this.head : undefined
  }

  /** The canonical block of a number; none where only headers are there. */
  private keyAt(number: bigint): BlockKey | undefined {
    return number > this.head.header.number ? undefined : canonicalKey(this.reader, number)
  }

  /** Reads something of the canonical block of a number. */
  private at<T>(read: Read<T>) {
    return (number: bigint) => {
      const key = this.keyAt(number)
      return key && read(this.reader, key)
    }
  }

  /** Reads something of the block of a hash. */
  private by<T>(read: Read<T>) {
    return (hash: Hash32) => {
      const key = findBlock(this.reader, hash)
      return key && read(this.reader, key)
    }
  }

  /** The same; throws a PastError where of a block of the chain only its header is there. */
  private wholly<T>(read: Read<T>): Read<T> {
    return (reader, key) => {
      const found = read(reader, key)
      if (found === undefined) this.refuseMissing(key)
      return found
    }
  }

  private refuseMissing(key: BlockKey): void {
    const { past } = this
    if (!past || key.number >= past.first || !isCanonicalKey(this.reader, key)) return
    const { header } = requireHeaderRecord(this.reader, key)
    if (!equalBytes(header.transactionsRoot, emptyTrieRoot))
      throw new PastError({ code: 'BLOCK_NOT_HERE', block: key.number, past })
  }

  private logsAt(number: bigint, conditions: LogConditions): readonly PlacedLog[] {
    return this.at((from, key) => readLogs(from, key, conditions))(number) ?? []
  }

  get isJoining(): boolean {
    return this.head.header.number === 0n && readMark(this.reader, 'ahead') !== undefined
  }

  get past(): ChainView['past'] {
    return (this.readPast ??= { value: readPast(this.reader) }).value
  }

  get finalized(): ChainView['finalized'] {
    return this.marked('finalized')
  }

  get safe(): ChainView['safe'] {
    return this.marked('safe')
  }

  readonly rulesOf: ChainView['rulesOf'] = (header) => this.parts.spec.rulesAt(header)

  readonly hashAt: ChainView['hashAt'] = (number) => this.keyAt(number)?.hash

  readonly parentOf: ChainView['parentOf'] = ({ number, parentHash }) =>
    number > 0n ? readHeader(this.reader, { number: Number(number) - 1, hash: parentHash }) : undefined

  readonly isCanonical: ChainView['isCanonical'] = (hash) => {
    const key = findBlock(this.reader, hash)
    return key !== undefined && key.number <= Number(this.head.header.number) && isCanonicalKey(this.reader, key)
  }

  readonly encodedHeader: ChainView['encodedHeader'] = (hash, number) => {
    const key = number === undefined ? findBlock(this.reader, hash) : { number: Number(number), hash }
    return key && readEncodedHeader(this.reader, key)
  }

  readonly engineRecord: ChainView['engineRecord'] = (hash, number) =>
    this.reader.get(engineRecords, { number: Number(number), hash })

  readonly totalDifficulty: ChainView['totalDifficulty'] = (hash) => {
    const key = findBlock(this.reader, hash)
    return key && readHeader(this.reader, key)?.totalDifficulty
  }

  readonly findTx: ChainView['findTx'] = (hash) => {
    const place = this.reader.get(transactions, hash)
    return place && { blockNumber: BigInt(place.number), index: place.index }
  }

  readonly transactionAt: ChainView['transactionAt'] = (hash, index) => {
    const key = findBlock(this.reader, hash)
    return key && this.wholly((reader) => readTx(reader, key, index))(this.reader, key)
  }

  readonly receiptAt: ChainView['receiptAt'] = (hash, index) => {
    const key = findBlock(this.reader, hash)
    return key && this.wholly((reader) => readReceipt(reader, key, index))(this.reader, key)
  }

  readonly stateAt: ChainView['stateAt'] = (number) => {
    this.stateAfter ??= this.parts.states.views(this.reader)
    return this.stateAfter(number === this.head.header.number ? 'latest' : Number(number))
  }

  /** Throws a PastError if a block that is not there may have such a log. */
  private refuseMissingLogs(query: LogQuery, last: number): void {
    const { past } = this
    if (!past) return
    const missing = bloomedBlocks(this.reader, query, Number(query.fromBlock), Math.min(last, past.first - 1))
    for (const block of missing) {
      const key = canonicalKey(this.reader, BigInt(block))!
      if (requireHeaderRecord(this.reader, key).header.logsBloom.some((byte) => byte !== 0))
        throw new PastError({ code: 'BLOCK_NOT_HERE', block, past })
    }
  }

  *logs(query: Parameters<ChainView['logs']>[0]): ReturnType<ChainView['logs']> {
    const last = query.toBlock < this.head.header.number ? query.toBlock : this.head.header.number
    this.refuseMissingLogs(query, Number(last))
    for (const number of candidateBlocks(this.reader, query, Number(query.fromBlock), Number(last)))
      yield* this.logsAt(BigInt(number), query)
  }

  readonly latestLogs: ChainView['latestLogs'] = (anyOf, from) => {
    const { number } = this.head.header
    return latestLogs(this.reader, anyOf, Number(from < number ? from : number))
  }

  readonly logsOf: ChainView['logsOf'] = (hash, conditions) => {
    const key = findBlock(this.reader, hash)
    const bloom = key && peekBloom(this.reader, key)
    if (!bloom || !mayMatch(bloom, conditions)) return []
    this.refuseMissing(key)
    return readLogs(this.reader, key, conditions)
  }

  get accountIndex(): ChainView['accountIndex'] {
    return accountIndex.readRange(this.reader)
  }

  get tokens(): ChainView['tokens'] {
    return createTokenView(this.reader)
  }

  readonly appearances: ChainView['appearances'] = (address, from, order) =>
    findAppearances(this.reader, address, Number(from), order)
}

/** A view of a snapshot, or of a write transaction. */
export function createChainView(parts: ViewParts, reader: Reader, close: () => void): ChainView {
  return new StoredChainView(parts, reader, close)
}
