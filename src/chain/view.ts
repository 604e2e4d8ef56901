import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Rules } from '../forks/rules.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { StateView } from '../state/view.ts'
import type { BlockRange } from '../store/blockRange.ts'
import type { Block, Body } from '../types/block.ts'
import type { Header } from '../types/header.ts'
import type { Log } from '../types/log.ts'
import type { Receipt } from '../types/receipt.ts'
import type { Tx } from '../types/transaction.ts'
import type { Past } from './takeOver/past.ts'
import type { TokenView } from './tokens/tokenView.ts'

/** A header with its hash, as consensus computes it. */
export interface HashedHeader {
  readonly header: Header
  readonly hash: Hash32
}

/** A block with its hash. */
export interface HashedBlock extends HashedHeader {
  readonly block: Block
}

/** The place of a transaction in the canonical chain. */
export interface TxPlace {
  readonly blockNumber: bigint
  readonly index: number
}

/** A receipt with what the chain stores beside it. */
export interface StoredReceipt extends Receipt {
  readonly gasUsed: bigint
  /** Output of a transaction that reverted; stored only with --revert-reason-enabled. */
  readonly revertReason: Uint8Array | undefined
}

/** A receipt with what its block adds to it. */
export interface ReceiptInBlock {
  readonly receipt: StoredReceipt
  /** Number of logs in the block before this receipt's. */
  readonly firstLogIndex: number
}

/** A log with its place. */
export interface PlacedLog extends Log {
  readonly blockNumber: bigint
  readonly blockHash: Hash32
  /** The time of a block of Prague or later, whose logs clients get it with; undefined of earlier ones. */
  readonly blockTimestamp?: bigint | undefined
  readonly txIndex: number
  readonly txHash: Hash32
  /** Index in the block. */
  readonly logIndex: number
}

/** The transactions of a block in which an account appears. */
export interface Appearance {
  readonly blockNumber: bigint
  /** Ascending. */
  readonly indexes: readonly number[]
}

/** What a log must have, wherever it stands: any of the addresses and, at each position, any of the topics; an empty list matches all. */
export interface LogConditions {
  readonly addresses: readonly Address[]
  readonly topics: readonly (readonly Hash32[])[]
}

/** The logs of a block that were looked for, the last one first; there may be none. */
export interface LogsOfBlock {
  readonly blockNumber: bigint
  readonly logs: readonly PlacedLog[]
}

/** Which logs of the canonical chain are wanted. */
export interface LogQuery extends LogConditions {
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

/** The chain as of one commit: all answers are consistent with each other. It comes from `Chain.read` or `Chain.openView`. */
export interface ChainView {
  readonly spec: ChainSpec
  readonly head: HashedHeader
  /** Whether headers are ahead of the head, whose blocks are taken over: the state of the head is not that of the network. */
  readonly isJoining: boolean
  /** What there is of the blocks before the head; undefined if all of them are there. */
  readonly past: Past | undefined
  /** Last block that cannot be reorganised away: the head where blocks are final at once; undefined if none is known. */
  readonly finalized: HashedHeader | undefined
  readonly safe: HashedHeader | undefined
  rulesOf(header: Header): Rules
  /** Hash of a canonical block. */
  hashAt(number: bigint): Hash32 | undefined
  headerAt(number: bigint): HashedHeader | undefined
  /** Any known block, canonical or not. */
  headerBy(hash: Hash32): HashedHeader | undefined
  /** The block below; found faster than by its hash alone, and undefined if it is not known or there is none. */
  parentOf(header: Header): HashedHeader | undefined
  isCanonical(hash: Hash32): boolean
  body(hash: Hash32): Body | undefined
  /** RLP of a known block's header, as peers exchange it; found faster if its number is known, too. */
  encodedHeader(hash: Hash32, number?: bigint): Uint8Array | undefined
  /** RLP of a known block's body, as peers exchange it. */
  encodedBody(hash: Hash32): Uint8Array | undefined
  /** What the consensus engine has stored with a block. */
  engineRecord(hash: Hash32, number: bigint): Uint8Array | undefined
  blockAt(number: bigint): HashedBlock | undefined
  blockBy(hash: Hash32): HashedBlock | undefined
  totalDifficulty(hash: Hash32): bigint | undefined
  /** Receipts of a block; undefined if it was never executed here. */
  receipts(hash: Hash32): readonly StoredReceipt[] | undefined
  findTx(hash: Hash32): TxPlace | undefined
  /** One transaction of a block; the others are not decoded. */
  transactionAt(hash: Hash32, index: number): Tx | undefined
  /** One receipt of a block; undefined if there is none, or the block was never executed here. */
  receiptAt(hash: Hash32, index: number): ReceiptInBlock | undefined
  /** State after a canonical block. */
  stateAt(number: bigint): StateView
  /** Canonical logs in order; they are read as they are iterated over. */
  logs(query: LogQuery): Iterable<PlacedLog>
  /** Canonical logs that match any of the conditions, from a block downwards; they are read as they are iterated over. */
  latestLogs(anyOf: readonly LogConditions[], from: bigint): Iterable<LogsOfBlock>
  /** Logs of one block, canonical or not, in order. */
  logsOf(hash: Hash32, conditions: LogConditions): readonly PlacedLog[]
  /** The blocks that the index of accounts has; undefined where accounts are not indexed. */
  readonly accountIndex: BlockRange | undefined
  /** Blocks and transactions in which an account appears, from a block on; they are read as they are iterated over. */
  appearances(address: Address, from: bigint, order: 'ascending' | 'descending'): Iterable<Appearance>
  /** Who holds how much of which token, where tokens are indexed. */
  readonly tokens: TokenView
  close(): void
}
