/**
 * The schema: EIP-1767 as Besu 23.10 serves it, with the root field `account` that it had before. The two forms differ in
 * how a Long is written: as a JSON integer, or in hex, as newer clients expect it.
 */
export function typeDefs(longAsHex: boolean): string {
  return `
"""${longAsHex ? 'A whole number of 64 bits, written in hex with 0x.' : 'A whole number of 64 bits, written as a JSON integer.'} Taken as a number, or as a decimal or 0x hex string."""
scalar Long

"""A whole number of any size, written in hex with 0x and no leading zeros. Taken as a hex string or as a number."""
scalar BigInt

"""Bytes in hex with 0x."""
scalar Bytes

"""32 bytes in hex with 0x. Shorter ones are filled up with zeros on the left."""
scalar Bytes32

"""20 bytes in hex. What is given may lack the 0x."""
scalar Address

type Query {
  """An account at a block; at the latest one when none is named."""
  account(address: Address!, blockNumber: Long): Account!
  """The block with a number or a hash; the latest one when neither is named."""
  block(number: Long, hash: Bytes32): Block
  """Blocks from one number to another, both included; up to the latest when no end is named."""
  blocks(from: Long, to: Long): [Block!]!
  """What waits for a block."""
  pending: Pending!
  """The transaction of a block with a hash; null for those that wait."""
  transaction(hash: Bytes32!): Transaction
  """Logs that fit a filter."""
  logs(filter: FilterCriteria!): [Log!]!
  """Gas price to offer, in wei."""
  gasPrice: BigInt!
  """Priority fee that transactions of recent blocks offered, in wei."""
  maxPriorityFeePerGas: BigInt!
  """How far the node has come in catching up; null when it has."""
  syncing: SyncState
  """Chain id that transactions are signed for."""
  chainID: BigInt!
  """Highest version of the eth wire protocol."""
  protocolVersion: Int!
}

type Mutation {
  """Gives a signed transaction to the pool; its hash."""
  sendRawTransaction(data: Bytes!): Bytes32!
}

"""The state of an account after a block."""
type Account {
  address: Address!
  """In wei."""
  balance: BigInt!
  """Transactions that it has sent, or for a contract, contracts that it has created."""
  transactionCount: Long!
  """Empty for accounts that are no contracts."""
  code: Bytes!
  """Value of a storage slot."""
  storage(slot: Bytes32!): Bytes32!
}

"""An event that a contract told of."""
type Log {
  """Position among the logs of its block."""
  index: Long!
  """The contract, at the log's block or another."""
  account(block: Long): Account!
  topics: [Bytes32!]!
  data: Bytes!
  transaction: Transaction!
}

"""Addresses and slots that a transaction announced (EIP-2930)."""
type AccessTuple {
  address: Address!
  storageKeys: [Bytes32!]!
}

"""A payment by the consensus layer (EIP-4895)."""
type Withdrawal {
  index: Long!
  """Index of the validator that is paid out."""
  validator: Long!
  address: Address!
  """In gwei."""
  amount: Long!
}

type Transaction {
  hash: Bytes32!
  nonce: Long!
  """Position in its block; null while it waits."""
  index: Long
  """The sender, at the transaction's block or another."""
  from(block: Long): Account!
  """The recipient; null for the creation of a contract."""
  to(block: Long): Account
  """In wei."""
  value: BigInt!
  """Price of a unit of gas; 0 for the types that bid for the base fee."""
  gasPrice: BigInt!
  """The most that a unit of gas may cost; null for the types without it."""
  maxFeePerGas: BigInt
  """The most that the block's producer gets per unit of gas; null for the types without it."""
  maxPriorityFeePerGas: BigInt
  """The most that a unit of blob gas may cost; null for the types without it."""
  maxFeePerBlobGas: BigInt
  """What the block's producer got per unit of gas; null while it waits."""
  effectiveTip: BigInt
  """Gas that it may use."""
  gas: Long!
  inputData: Bytes!
  """Its block; null while it waits."""
  block: Block
  """1 for success and 0 for failure; null while it waits, and for blocks before Byzantium."""
  status: Long
  """Gas that it used; null while it waits."""
  gasUsed: Long
  """Gas that its block had used after it; null while it waits."""
  cumulativeGasUsed: Long
  """What a unit of gas cost; null while it waits."""
  effectiveGasPrice: BigInt
  """Null for transactions without blobs."""
  blobGasUsed: Long
  """What a unit of blob gas cost; null for transactions without blobs."""
  blobGasPrice: BigInt
  """The contract of a creation, at the transaction's block or another; null for others."""
  createdContract(block: Long): Account
  """An error while it waits."""
  logs: [Log!]
  r: BigInt!
  s: BigInt!
  """Null for newer types than the first."""
  v: BigInt
  """Null for the first type."""
  yParity: BigInt
  """0 legacy, 1 with access list, 2 fee market, 3 with blobs, 4 with code delegations."""
  type: Long
  accessList: [AccessTuple!]
  """As it stands in a block: RLP, for newer types a string around type and payload."""
  raw: Bytes!
  """The receipt in the same form; an error while it waits."""
  rawReceipt: Bytes!
  blobVersionedHashes: [Bytes32!]
}

input BlockFilterCriteria {
  """Logs of one of these contracts; of any when it is empty or left out."""
  addresses: [Address!]
  """For each position the topics that fit; an empty list fits any."""
  topics: [[Bytes32!]!]
}

input FilterCriteria {
  """First block; the latest when it is left out."""
  fromBlock: Long
  """Last block; the latest when it is left out."""
  toBlock: Long
  """Logs of one of these contracts; of any when it is empty or left out."""
  addresses: [Address!]
  """For each position the topics that fit; an empty list fits any."""
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
  """Account of the block's producer, at this block or another."""
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
  """Null when there is none at that position."""
  ommerAt(index: Long!): Block
  ommerHash: Bytes32!
  transactions: [Transaction!]
  """Null when there is none at that position."""
  transactionAt(index: Long!): Transaction
  """Logs of this block that fit a filter."""
  logs(filter: BlockFilterCriteria!): [Log!]!
  """An account after this block."""
  account(address: Address!): Account!
  """Tries a call out on the state after this block."""
  call(data: CallData!): CallResult
  """Gas that a call uses on the state after this block."""
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

"""A call to try out; everything may be left out. Without \`to\` it creates a contract."""
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
  """What the call returned; empty when it failed."""
  data: Bytes!
  gasUsed: Long!
  """1 for success and 0 for failure."""
  status: Long!
}

type SyncState {
  startingBlock: Long!
  currentBlock: Long!
  highestBlock: Long!
}

"""The pool. Its transactions are not executed: accounts, calls and estimates are those of the latest block."""
type Pending {
  transactionCount: Long!
  transactions: [Transaction!]
  account(address: Address!): Account!
  call(data: CallData!): CallResult
  estimateGas(data: CallData!): Long!
}
`
}
