import type { HashedBlock } from '../../chain/view.ts'
import { encodeBlock } from '../../types/block.ts'
import { txHash } from '../../types/encodeTx.ts'
import type { Tx } from '../../types/transaction.ts'
import type { Withdrawal } from '../../types/withdrawal.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import type { Encoder } from '../codecs/codec.ts'
import { listEncoder } from '../codecs/list.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { type PlacedTx, transactionObject } from './transaction.ts'

/** A block with what its JSON object needs. */
export interface ShownBlock extends HashedBlock {
  readonly totalDifficulty: bigint
  readonly ommerHashes: readonly Uint8Array[]
  /** Whether transactions are objects or hashes. */
  readonly full: boolean
}

const withdrawalObject = record<Withdrawal>('withdrawal', (member) => [
  member('index', quantity, ({ index }) => index),
  member('validatorIndex', quantity, ({ validatorIndex }) => validatorIndex),
  member('address', address, (withdrawal) => withdrawal.address),
  member('amount', quantity, ({ amount }) => amount),
])

const hashList = listEncoder(hash)
const objectList = listEncoder(transactionObject)

const transactions: Encoder<ShownBlock> = {
  schema: { type: 'array', items: { oneOf: [hash.schema, transactionObject.schema] } },
  encode(shown) {
    const txs = shown.block.transactions
    return shown.full ? objectList.encode(txs.map(placedIn(shown))) : hashList.encode(txs.map(txHash))
  },
}

function placedIn(block: HashedBlock): (tx: Tx, index: number) => PlacedTx {
  return (tx, index) => ({ tx, block, index })
}

const plainBlockObject = record<ShownBlock>('block', (member) => [
  member('number', quantity, ({ header }) => header.number),
  member('hash', hash, (block) => block.hash),
  member('mixHash', hash, ({ header }) => header.mixHash),
  member('parentHash', hash, ({ header }) => header.parentHash),
  member('nonce', data, ({ header }) => header.nonce),
  member('sha3Uncles', hash, ({ header }) => header.ommersHash),
  member('logsBloom', data, ({ header }) => header.logsBloom),
  member('transactionsRoot', hash, ({ header }) => header.transactionsRoot),
  member('stateRoot', hash, ({ header }) => header.stateRoot),
  member('receiptsRoot', hash, ({ header }) => header.receiptsRoot),
  member('miner', address, ({ header }) => header.beneficiary),
  member('difficulty', quantity, ({ header }) => header.difficulty),
  member('totalDifficulty', quantity, ({ totalDifficulty }) => totalDifficulty),
  member('extraData', data, ({ header }) => header.extraData),
  member.optional('baseFeePerGas', quantity, ({ header }) => header.baseFee),
  member('size', count, ({ block }) => encodeBlock(block).length),
  member('gasLimit', quantity, ({ header }) => header.gasLimit),
  member('gasUsed', quantity, ({ header }) => header.gasUsed),
  member('timestamp', quantity, ({ header }) => header.timestamp),
  member('uncles', listEncoder(data), ({ ommerHashes }) => ommerHashes),
  member('transactions', transactions, (block) => block),
  member.optional('withdrawalsRoot', hash, ({ header }) => header.withdrawalsRoot),
  member.optional('withdrawals', listEncoder(withdrawalObject), ({ block }) => block.withdrawals),
  member.optional('blobGasUsed', quantity, ({ header }) => header.blobGasUsed),
  member.optional('excessBlobGas', quantity, ({ header }) => header.excessBlobGas),
  member.optional('parentBeaconBlockRoot', hash, ({ header }) => header.parentBeaconRoot),
  member.optional('requestsHash', hash, ({ header }) => header.requestsHash),
])

const texts = new WeakMap<ShownBlock, string>()

/** A block, with the members in Besu's order; members of later forks are left out. */
export const blockObject: Encoder<ShownBlock> = {
  schema: plainBlockObject.schema,
  encode(block) {
    let text = texts.get(block)
    if (text === undefined) texts.set(block, (text = plainBlockObject.encode(block)))
    return text
  },
}
