import type { Hex } from 'viem'

/** A header as eth_subscribe announces it. */
export interface Header {
  readonly number: Hex
  readonly hash: Hex
  readonly timestamp: Hex
}

/** A block of eth_getBlockByNumber with hashes of its transactions. */
export interface Block extends Header {
  readonly parentHash: Hex
  readonly miner: Hex
  readonly extraData: Hex
  readonly gasUsed: Hex
  readonly gasLimit: Hex
  readonly baseFeePerGas?: Hex
  readonly size: Hex
  readonly difficulty: Hex
  readonly stateRoot: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
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
