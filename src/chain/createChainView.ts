import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import type { StateStore } from '../state/stateStore.ts'
import { type BlockKey, bodies, transactions } from '../store/chainTables.ts'
import type { Reader } from '../store/table.ts'
import type { ConsensusEngine } from './engine.ts'
import { candidateBlocks } from './logs/candidateBlocks.ts'
import { matchesLog } from './logs/logIndex.ts'
import {
  canonicalKey,
  findBlock,
  isCanonicalKey,
  readBody,
  readEncodedHeader,
  readHeader,
  readMark,
  readReceipts,
  readTxHashes,
  requireHead,
} from './records.ts'
import type { ChainView, HashedBlock, HashedHeader, LogQuery, PlacedLog } from './view.ts'

interface ViewParts {
  readonly spec: ChainSpec
  readonly states: StateStore
  readonly consensus: Pick<ConsensusEngine, 'isFinal'>
}

/** A view of a snapshot, or of a write transaction. */
export function createChainView({ spec, states, consensus }: ViewParts, reader: Reader, close: () => void): ChainView {
  const head = requireHead(reader)

  function marked(mark: 'safe' | 'finalized'): HashedHeader | undefined {
    const key = readMark(reader, mark)
    if (key) return readHeader(reader, key)
    return consensus.isFinal?.(head.header) ? head : undefined
  }

  function blockOf(key: BlockKey | undefined): HashedBlock | undefined {
    const record = key && readHeader(reader, key)
    const body = key && readBody(reader, key)
    return record && body && { header: record.header, hash: record.hash, block: { header: record.header, ...body } }
  }

  function* logsIn(number: number, query: LogQuery): Iterable<PlacedLog> {
    const key = canonicalKey(reader, BigInt(number))
    const receipts = key && readReceipts(reader, key)
    if (!key || !receipts) return
    let logIndex = 0
    let hashOf: ((index: number) => Hash32) | undefined
    for (const [txIndex, { logs }] of receipts.entries())
      for (const log of logs) {
        if (matchesLog(log, query)) {
          hashOf ??= readTxHashes(reader, key)!
          yield {
            ...log,
            blockNumber: BigInt(number),
            blockHash: key.hash,
            txIndex,
            txHash: hashOf(txIndex),
            logIndex,
          }
        }
        logIndex++
      }
  }

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
    headerAt(number) {
      const key = canonicalKey(reader, number)
      return key && readHeader(reader, key)
    },
    headerBy(hash) {
      const key = findBlock(reader, hash)
      return key && readHeader(reader, key)
    },
    isCanonical(hash) {
      const key = findBlock(reader, hash)
      return key !== undefined && isCanonicalKey(reader, key)
    },
    body(hash) {
      const key = findBlock(reader, hash)
      return key && readBody(reader, key)
    },
    encodedHeader(hash) {
      const key = findBlock(reader, hash)
      return key && readEncodedHeader(reader, key)
    },
    encodedBody(hash) {
      const key = findBlock(reader, hash)
      return key && reader.get(bodies, key)
    },
    blockAt: (number) => blockOf(canonicalKey(reader, number)),
    blockBy: (hash) => blockOf(findBlock(reader, hash)),
    totalDifficulty(hash) {
      const key = findBlock(reader, hash)
      return key && readHeader(reader, key)?.totalDifficulty
    },
    receipts(hash) {
      const key = findBlock(reader, hash)
      return key && readReceipts(reader, key)
    },
    findTx(hash) {
      const place = reader.get(transactions, hash)
      return place && { blockNumber: BigInt(place.number), index: place.index }
    },
    stateAt: (number) => states.at(reader, number === head.header.number ? 'latest' : Number(number)),
    *logs(query) {
      const last = query.toBlock < head.header.number ? query.toBlock : head.header.number
      for (const number of candidateBlocks(reader, query, Number(query.fromBlock), Number(last)))
        yield* logsIn(number, query)
    },
    close,
  }
  return view
}
