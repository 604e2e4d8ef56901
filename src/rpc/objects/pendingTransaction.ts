import type { PoolEntry } from '../../pool/entry.ts'
import { toHash32 } from '../../primitives/bytes.ts'
import { curve } from '../../primitives/secp256k1.ts'
import { encodeTx } from '../../types/encodeTx.ts'
import { recoveryInput } from '../../types/signTx.ts'
import { accessListOf, chainIdOf, maxGasPriceOf, type Tx } from '../../types/transaction.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { nothing, nullable } from '../codecs/nullable.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { accessListObject } from './accessList.ts'
import { authorizationList, blobHashes, feesOf, recipient, vOf } from './transaction.ts'

/** The signer's public key, 64 bytes. */
function publicKeyOf(tx: Tx): Uint8Array | undefined {
  const input = recoveryInput(tx)
  return input && curve.recover(toHash32(input.subarray(0, 32)), input.subarray(32, 96), input[96]!)
}

/** A transaction in the pool, with the members in Besu's order. */
export const pendingTransactionObject = record<PoolEntry>('pending transaction', (member) => [
  member('blockHash', nothing, () => undefined),
  member('blockNumber', nothing, () => undefined),
  member('from', address, ({ sender }) => sender),
  member('gas', quantity, ({ tx }) => tx.gasLimit),
  member('gasPrice', quantity, ({ tx }) => maxGasPriceOf(tx)),
  member.optional('maxPriorityFeePerGas', quantity, ({ tx }) => feesOf(tx)?.maxPriorityFee),
  member.optional('maxFeePerGas', quantity, ({ tx }) => feesOf(tx)?.maxFee),
  member.optional('maxFeePerBlobGas', quantity, ({ tx }) => (tx.type === 3 ? tx.maxBlobFee : undefined)),
  member('hash', hash, (entry) => entry.hash),
  member('input', data, ({ tx }) => tx.data),
  member('nonce', quantity, ({ tx }) => tx.nonce),
  member('to', recipient, ({ tx }) => tx.to),
  member('transactionIndex', nothing, () => undefined),
  member('value', quantity, ({ tx }) => tx.value),
  member.optional('yParity', count, ({ tx }) => (tx.type === 0 ? undefined : tx.yParity)),
  member.optional('v', quantity, ({ tx }) => vOf(tx)),
  member('r', quantity, ({ tx }) => tx.r),
  member('s', quantity, ({ tx }) => tx.s),
  member.optional('blobVersionedHashes', blobHashes, ({ tx }) => (tx.type === 3 ? tx.blobHashes : undefined)),
  member.optional('authorizationList', authorizationList, ({ tx }) => (tx.type === 4 ? tx.authorizations : undefined)),
  member.optional('accessList', accessListObject, ({ tx }) => (tx.type === 0 ? undefined : accessListOf(tx))),
  member('chainId', nullable(quantity), ({ tx }) => chainIdOf(tx)),
  member('publicKey', nullable(data), ({ tx }) => publicKeyOf(tx)),
  member('raw', data, ({ tx }) => encodeTx(tx)),
  member('type', count, ({ tx }) => tx.type),
])
