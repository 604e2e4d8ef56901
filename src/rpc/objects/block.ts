import type { HashedBlock } from '../../chain/view.ts'
import { encodeBlock } from '../../types/block.ts'
import { txHash } from '../../types/encodeTx.ts'
import type { Tx } from '../../types/transaction.ts'
import type { Withdrawal } from '../../types/withdrawal.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import type { Encoder } from '../codecs/codec.ts'
import { listEncoder } from '../codecs/list.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record, sharedMembers } from '../codecs/record.ts'
import { blobMembers, gasMembers, identityMembers, withdrawalsMembers } from './header.ts'
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

/** The members of a block, in Besu's order. */
export const blockMembers = sharedMembers<ShownBlock>((member) => [
  ...identityMembers,
  member('size', count, ({ block }) => encodeBlock(block).length),
  ...gasMembers,
  member('uncles', listEncoder(data), ({ ommerHashes }) => ommerHashes),
  member('transactions', transactions, (block) => block),
  ...withdrawalsMembers,
  member.optional('withdrawals', listEncoder(withdrawalObject), ({ block }) => block.withdrawals),
  ...blobMembers,
])

const plainBlockObject = record<ShownBlock>('block', () => blockMembers)

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
