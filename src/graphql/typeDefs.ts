/**
 * The schema: EIP-1767 as in Besu 23.10, with the root field `account` of earlier versions. The two variants differ in
 * the encoding of a Long: as a JSON integer, or in hex, as newer clients expect it.
 */
export function typeDefs(longAsHex: boolean): string {
  return `
"""${longAsHex ? 'A 64-bit integer, returned as a hex string with 0x.' : 'A 64-bit integer, returned as a JSON integer.'} Accepted as a number, or as a decimal or 0x hex string."""
scalar Long

"""An integer of any size, returned as a hex string with 0x without leading zeros. Accepted as a hex string or a number."""
scalar BigInt

"""Bytes in hex with 0x."""
scalar Bytes

"""32 bytes in hex with 0x. Shorter values are padded with zeros on the left."""
scalar Bytes32

"""20 bytes in hex with 0x. In arguments, 0x is optional."""
scalar Address

type Query {
  """An account at a block, by default the latest."""
  account(address: Address!, blockNumber: Long): Account!
  """A block by number or hash, by default the latest."""
  block(number: Long, hash: Bytes32): Block
  """Blocks from one number to another, both inclusive, by default up to the latest."""
  blocks(from: Long, to: Long): [Block!]!
  """The pending transactions."""
  pending: Pending!
  """A mined transaction by hash; null for pending ones."""
  transaction(hash: Bytes32!): Transaction
  """Logs that match a filter."""
  logs(filter: FilterCriteria!): [Log!]!
  """Suggested gas price, in wei."""
  gasPrice: BigInt!
  """Suggested priority fee from recent blocks, in wei."""
  maxPriorityFeePerGas: BigInt!
  """Sync progress; null if the node is in sync."""
  syncing: SyncState
  """Chain id, for which transactions are signed."""
  chainID: BigInt!
  """Highest supported version of the eth protocol."""
  protocolVersion: Int!
}

type Mutation {
  """Submits a signed transaction to the pool; returns its hash."""
  sendRawTransaction(data: Bytes!): Bytes32!
}

"""The state of an account after a block."""
type Account {
  address: Address!
  """In wei."""
  balance: BigInt!
  """Nonce: transactions sent, or for a contract, contracts created."""
  transactionCount: Long!
  """Contract code; empty for accounts without code."""
  code: Bytes!
  """Value of a storage slot."""
  storage(slot: Bytes32!): Bytes32!
}

"""A log (event) of a contract."""
type Log {
  """Index of the log in its block."""
  index: Long!
  """The contract, by default at the log's block."""
  account(block: Long): Account!
  topics: [Bytes32!]!
  data: Bytes!
  transaction: Transaction!
}

"""An entry of an access list (EIP-2930)."""
type AccessTuple {
  address: Address!
  storageKeys: [Bytes32!]!
}

"""A withdrawal of the consensus layer (EIP-4895)."""
type Withdrawal {
  index: Long!
  """Index of the validator."""
  validator: Long!
  address: Address!
  """In gwei."""
  amount: Long!
}

type Transaction {
  hash: Bytes32!
  nonce: Long!
  """Index in its block; null if pending."""
  index: Long
  """The sender, by default at the transaction's block."""
  from(block: Long): Account!
  """The recipient; null for a contract creation."""
  to(block: Long): Account
  """In wei."""
  value: BigInt!
  """Gas price in wei; 0 for EIP-1559 transactions."""
  gasPrice: BigInt!
  """Maximum fee per gas in wei; null for transactions without it."""
  maxFeePerGas: BigInt
  """Maximum priority fee per gas in wei; null for transactions without it."""
  maxPriorityFeePerGas: BigInt
  """Maximum fee per blob gas in wei; null for transactions without it."""
  maxFeePerBlobGas: BigInt
  """Priority fee paid per gas in wei; null if pending."""
  effectiveTip: BigInt
  """Gas limit."""
  gas: Long!
  inputData: Bytes!
  """Block of the transaction; null if pending."""
  block: Block
  """1 for success, 0 for failure; null if pending, and before Byzantium."""
  status: Long
  """Gas used; null if pending."""
  gasUsed: Long
  """Cumulative gas used in its block up to this transaction; null if pending."""
  cumulativeGasUsed: Long
  """Price paid per gas in wei; null if pending."""
  effectiveGasPrice: BigInt
  """Null for transactions without blobs."""
  blobGasUsed: Long
  """Price paid per blob gas in wei; null for transactions without blobs."""
  blobGasPrice: BigInt
  """The created contract, by default at the transaction's block; null if none is created."""
  createdContract(block: Long): Account
  """An error if pending."""
  logs: [Log!]
  r: BigInt!
  s: BigInt!
  """Null for typed transactions."""
  v: BigInt
  """Null for legacy transactions."""
  yParity: BigInt
  """0 legacy, 1 access list, 2 EIP-1559, 3 blob, 4 set code."""
  type: Long
  accessList: [AccessTuple!]
  """RLP as in a block: typed transactions are wrapped in a byte string."""
  raw: Bytes!
  """The receipt in the same format; an error if pending."""
  rawReceipt: Bytes!
  blobVersionedHashes: [Bytes32!]
}

input BlockFilterCriteria {
  """Contracts whose logs match; empty or absent matches all."""
  addresses: [Address!]
  """Matching topics for each position; an empty list matches any."""
  topics: [[Bytes32!]!]
}

input FilterCriteria {
  """First block, by default the latest."""
  fromBlock: Long
  """Last block, by default the latest."""
  toBlock: Long
  """Contracts whose logs match; empty or absent matches all."""
  addresses: [Address!]
  """Matching topics for each position; an empty list matches any."""
  topics: [[Bytes32!]!]
}

type Block {
  number: Long!
  hash: Bytes32!
  """Null for the genesis block."""
  parent: Block
  """8 bytes."""
  nonce: Bytes!
  transactionsRoot: Bytes32!
  transactionCount: Long
  stateRoot: Bytes32!
  receiptsRoot: Bytes32!
  """Account of the block's producer, by default at this block."""
  miner(block: Long): Account!
  extraData: Bytes!
  gasLimit: Long!
  gasUsed: Long!
  """Null before London."""
  baseFeePerGas: BigInt
  """Always null, as in Besu."""
  nextBaseFeePerGas: BigInt
  """Seconds since 1970."""
  timestamp: ${longAsHex ? 'Long' : 'BigInt'}!
  logsBloom: Bytes!
  mixHash: Bytes32!
  difficulty: BigInt!
  totalDifficulty: BigInt!
  """Null for ommers."""
  ommerCount: Long
  ommers: [Block]
  """Null if there is none at this index."""
  ommerAt(index: Long!): Block
  ommerHash: Bytes32!
  transactions: [Transaction!]
  """Null if there is none at this index."""
  transactionAt(index: Long!): Transaction
  """Logs of this block that match a filter."""
  logs(filter: BlockFilterCriteria!): [Log!]!
  """An account after this block."""
  account(address: Address!): Account!
  """Executes a call on the state after this block."""
  call(data: CallData!): CallResult
  """Estimates the gas of a call on the state after this block."""
  estimateGas(data: CallData!): Long!
  """RLP of the header."""
  rawHeader: Bytes!
  """RLP of the body."""
  raw: Bytes!
  """Null before Shanghai."""
  withdrawalsRoot: Bytes32
  """Null before Shanghai."""
  withdrawals: [Withdrawal!]
  """Null before Cancun."""
  blobGasUsed: Long
  """Null before Cancun."""
  excessBlobGas: Long
}

"""A call; all fields are optional. Without \`to\` it creates a contract."""
input CallData {
  from: Address
  to: Address
  gas: Long
  gasPrice: BigInt
  maxFeePerGas: BigInt
  maxPriorityFeePerGas: BigInt
  value: BigInt
  data: Bytes
}

type CallResult {
  """Output of the call; empty if it failed."""
  data: Bytes!
  gasUsed: Long!
  """1 for success, 0 for failure."""
  status: Long!
}

type SyncState {
  startingBlock: Long!
  currentBlock: Long!
  highestBlock: Long!
}

"""Pending transactions. They are not executed: accounts, calls and estimates use the state of the latest block."""
type Pending {
  transactionCount: Long!
  transactions: [Transaction!]
  account(address: Address!): Account!
  call(data: CallData!): CallResult
  estimateGas(data: CallData!): Long!
}
`
}
