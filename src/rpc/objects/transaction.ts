import type { HashedHeader } from '../../chain/view.ts'
import { txHash } from '../../types/encodeTx.ts'
import type { Header } from '../../types/header.ts'
import { senderOf } from '../../types/signTx.ts'
import { type Authorization, accessListOf, chainIdOf, effectiveGasPriceOf, type Tx } from '../../types/transaction.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { listEncoder } from '../codecs/list.ts'
import { nullable } from '../codecs/nullable.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record, sharedMembers } from '../codecs/record.ts'
import { accessListObject } from './accessList.ts'

/** A transaction with its position in a block. */
export interface PlacedTx {
  readonly tx: Tx
  readonly block: HashedHeader
  readonly index: number
}

export const blobHashes = listEncoder(hash)
export const recipient = nullable(address)

export const authorizationList = listEncoder<Authorization>(
  record('authorization', (member) => [
    member('chainId', quantity, ({ chainId }) => chainId),
    member('address', address, (authorization) => authorization.address),
    member('nonce', quantity, ({ nonce }) => nonce),
    member('yParity', quantity, ({ yParity }) => yParity),
    member('r', quantity, ({ r }) => r),
    member('s', quantity, ({ s }) => s),
  ]),
)

/** Fees of EIP-1559 transactions; undefined for others. */
export function feesOf(tx: Tx): { maxFee: bigint; maxPriorityFee: bigint } | undefined {
  return tx.type === 0 || tx.type === 1 ? undefined : tx
}

/** The signature's v; Besu returns none for blob transactions. */
export function vOf(tx: Tx): bigint | undefined {
  if (tx.type === 0) return tx.v
  return tx.type === 3 ? undefined : BigInt(tx.yParity)
}

/**
 * The time of a block, where its transactions and logs are shown with it: from Prague on. Versions of Besu that know Prague do so in all
 * blocks; those that clients of earlier chains are made for do not.
 */
export function shownTime({ requestsHash, timestamp }: Pick<Header, 'requestsHash' | 'timestamp'>): bigint | undefined {
  return requestsHash && timestamp
}

interface WithTx {
  readonly tx: Tx
}

/** The fees that a transaction offers besides its gas price, in Besu's order. */
export const feeMembers = sharedMembers<WithTx>((member) => [
  member.optional('maxPriorityFeePerGas', quantity, ({ tx }) => feesOf(tx)?.maxPriorityFee),
  member.optional('maxFeePerGas', quantity, ({ tx }) => feesOf(tx)?.maxFee),
  member.optional('maxFeePerBlobGas', quantity, ({ tx }) => (tx.type === 3 ? tx.maxBlobFee : undefined)),
])

/** The signature of a transaction and what follows it, in Besu's order. */
export const signatureMembers = sharedMembers<WithTx>((member) => [
  member.optional('yParity', count, ({ tx }) => (tx.type === 0 ? undefined : tx.yParity)),
  member.optional('v', quantity, ({ tx }) => vOf(tx)),
  member('r', quantity, ({ tx }) => tx.r),
  member('s', quantity, ({ tx }) => tx.s),
  member.optional('blobVersionedHashes', blobHashes, ({ tx }) => (tx.type === 3 ? tx.blobHashes : undefined)),
  member.optional('authorizationList', authorizationList, ({ tx }) => (tx.type === 4 ? tx.authorizations : undefined)),
])

/** The members of a mined transaction, in Besu's order. */
export const transactionMembers = sharedMembers<PlacedTx>((member) => [
  member.optional('accessList', accessListObject, ({ tx }) => (tx.type === 0 ? undefined : accessListOf(tx))),
  member('blockHash', hash, ({ block }) => block.hash),
  member('blockNumber', quantity, ({ block }) => block.header.number),
  member.optional('blockTimestamp', quantity, ({ block }) => shownTime(block.header)),
  member.optional('chainId', quantity, ({ tx }) => chainIdOf(tx)),
  member('from', address, ({ tx }) => senderOf(tx)!),
  member('gas', quantity, ({ tx }) => tx.gasLimit),
  member('gasPrice', quantity, ({ tx, block }) => effectiveGasPriceOf(tx, block.header.baseFee ?? 0n)),
  ...feeMembers,
  member('hash', hash, ({ tx }) => txHash(tx)),
  member('input', data, ({ tx }) => tx.data),
  member('nonce', quantity, ({ tx }) => tx.nonce),
  member('to', recipient, ({ tx }) => tx.to),
  member('transactionIndex', count, ({ index }) => index),
  member('type', count, ({ tx }) => tx.type),
  member('value', quantity, ({ tx }) => tx.value),
  ...signatureMembers,
])

/** A mined transaction. */
export const transactionObject = record<PlacedTx>('transaction', () => transactionMembers)
