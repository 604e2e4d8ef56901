import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Rules } from '../forks/rules.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { StateView } from '../state/view.ts'
import type { Block, Body } from '../types/block.ts'
import type { Header } from '../types/header.ts'
import type { Log } from '../types/log.ts'
import type { Receipt } from '../types/receipt.ts'

/** A header with the hash that the chain's engine gives it. */
export interface HashedHeader {
  readonly header: Header
  readonly hash: Hash32
}

/** A block with its hash. */
export interface HashedBlock extends HashedHeader {
  readonly block: Block
}

/** Where a transaction stands in the canonical chain. */
export interface TxPlace {
  readonly blockNumber: bigint
  readonly index: number
}

/** A receipt with what the chain keeps beside it. */
export interface StoredReceipt extends Receipt {
  readonly gasUsed: bigint
  /** Output of a transaction that reverted; kept only where the node was told to. */
  readonly revertReason: Uint8Array | undefined
}

/** A log with its place. */
export interface PlacedLog extends Log {
  readonly blockNumber: bigint
  readonly blockHash: Hash32
  readonly txIndex: number
  readonly txHash: Hash32
  /** Counted through the block. */
  readonly logIndex: number
}

/** Which logs are wanted: any of the addresses, and per position any of the topics (an empty list takes all). */
export interface LogQuery {
  readonly fromBlock: bigint
  readonly toBlock: bigint
  readonly addresses: readonly Address[]
  readonly topics: readonly (readonly Hash32[])[]
}

/** The chain as of one committed moment; all answers agree with each other. Close it when done. */
export interface ChainView {
  readonly spec: ChainSpec
  readonly head: HashedHeader
  /** Last block that cannot be reorganised away, where the engine or the operator knows one. */
  readonly finalized: HashedHeader | undefined
  readonly safe: HashedHeader | undefined
  rulesOf(header: Header): Rules
  /** Canonical block number → hash. */
  hashAt(number: bigint): Hash32 | undefined
  headerAt(number: bigint): HashedHeader | undefined
  /** Any known block, canonical or not. */
  headerBy(hash: Hash32): HashedHeader | undefined
  isCanonical(hash: Hash32): boolean
  body(hash: Hash32): Body | undefined
  /** A known block's header and body in the encoding that peers exchange, as they are stored. */
  encodedHeader(hash: Hash32): Uint8Array | undefined
  encodedBody(hash: Hash32): Uint8Array | undefined
  blockAt(number: bigint): HashedBlock | undefined
  blockBy(hash: Hash32): HashedBlock | undefined
  totalDifficulty(hash: Hash32): bigint | undefined
  /** Receipts of an executed block; undefined for blocks that were never executed here. */
  receipts(hash: Hash32): readonly StoredReceipt[] | undefined
  findTx(hash: Hash32): TxPlace | undefined
  /** State after a canonical block. */
  stateAt(number: bigint): StateView
  /** Canonical logs in order; iteration is lazy, so that a limit costs only what it takes. */
  logs(query: LogQuery): Iterable<PlacedLog>
  close(): void
}
