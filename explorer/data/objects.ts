import type { Hex } from 'viem'

/** A header as eth_subscribe announces it. */
export interface Header {
  readonly number: Hex
  readonly hash: Hex
  readonly timestamp: Hex
}

/** What validators of Clique sign of a block, and its hash. */
export interface SealedHeader extends Header {
  readonly parentHash: Hex
  readonly sha3Uncles: Hex
  readonly miner: Hex
  readonly stateRoot: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  readonly logsBloom: Hex
  readonly difficulty: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly extraData: Hex
  readonly mixHash: Hex
  readonly nonce: Hex
  readonly baseFeePerGas?: Hex
}

/** A block of eth_getBlockByNumber with hashes of its transactions. */
export interface Block extends SealedHeader {
  readonly size: Hex
  readonly transactions: readonly Hex[]
}

/** A block with its transactions. */
export interface FullBlock extends Omit<Block, 'transactions'> {
  readonly transactions: readonly Transaction[]
}

export interface Transaction {
  readonly hash: Hex
  readonly blockNumber: Hex | null
  readonly blockHash: Hex | null
  readonly transactionIndex: Hex | null
  readonly from: Hex
  readonly to: Hex | null
  readonly value: Hex
  readonly input: Hex
  readonly nonce: Hex
  readonly gas: Hex
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly type: Hex
}

export interface Log {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly logIndex: Hex
}

export interface Receipt {
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
  readonly blockNumber: Hex
  readonly status?: Hex
  readonly gasUsed: Hex
  readonly cumulativeGasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly contractAddress: Hex | null
  readonly revertReason?: Hex
  readonly logs: readonly Log[]
}
