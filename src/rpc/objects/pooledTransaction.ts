import type { PoolEntry } from '../../pool/entry.ts'
import { accessListOf, chainIdOf, maxGasPriceOf } from '../../types/transaction.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { nothing } from '../codecs/nullable.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record, sharedMembers } from '../codecs/record.ts'
import { accessListObject } from './accessList.ts'
import { authorizationList, blobHashes, feesOf, recipient } from './transaction.ts'

/** Where a transaction that waits has no place yet, whose it is and what it pays. */
export const waitingMembers = sharedMembers<PoolEntry>((member) => [
  member('blockHash', nothing, () => undefined),
  member('blockNumber', nothing, () => undefined),
  member('from', address, ({ sender }) => sender),
  member('gas', quantity, ({ tx }) => tx.gasLimit),
  member('gasPrice', quantity, ({ tx }) => maxGasPriceOf(tx)),
])

/** What a transaction that waits does. */
export const contentMembers = sharedMembers<PoolEntry>((member) => [
  member('hash', hash, (entry) => entry.hash),
  member('input', data, ({ tx }) => tx.data),
  member('nonce', quantity, ({ tx }) => tx.nonce),
  member('to', recipient, ({ tx }) => tx.to),
  member('transactionIndex', nothing, () => undefined),
  member('value', quantity, ({ tx }) => tx.value),
])

/** A transaction in the pool as geth returns it, for methods that Besu does not have. */
export const pooledTransactionObject = record<PoolEntry>('pooled transaction', (member) => [
  ...waitingMembers,
  member.optional('maxFeePerGas', quantity, ({ tx }) => feesOf(tx)?.maxFee),
  member.optional('maxPriorityFeePerGas', quantity, ({ tx }) => feesOf(tx)?.maxPriorityFee),
  member.optional('maxFeePerBlobGas', quantity, ({ tx }) => (tx.type === 3 ? tx.maxBlobFee : undefined)),
  ...contentMembers,
  member('type', count, ({ tx }) => tx.type),
  member.optional('accessList', accessListObject, ({ tx }) => (tx.type === 0 ? undefined : accessListOf(tx))),
  member.optional('chainId', quantity, ({ tx }) => chainIdOf(tx)),
  member.optional('blobVersionedHashes', blobHashes, ({ tx }) => (tx.type === 3 ? tx.blobHashes : undefined)),
  member.optional('authorizationList', authorizationList, ({ tx }) => (tx.type === 4 ? tx.authorizations : undefined)),
  member('v', quantity, ({ tx }) => (tx.type === 0 ? tx.v : BigInt(tx.yParity))),
  member('r', quantity, ({ tx }) => tx.r),
  member('s', quantity, ({ tx }) => tx.s),
  member.optional('yParity', count, ({ tx }) => (tx.type === 0 ? undefined : tx.yParity)),
])
