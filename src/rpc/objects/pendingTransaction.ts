import type { PoolEntry } from '../../pool/entry.ts'
import { toHash32 } from '../../primitives/bytes.ts'
import { curve } from '../../primitives/secp256k1.ts'
import { encodeTx } from '../../types/encodeTx.ts'
import { recoveryInput } from '../../types/signTx.ts'
import { accessListOf, chainIdOf, type Tx } from '../../types/transaction.ts'
import { data } from '../codecs/bytes.ts'
import { nullable } from '../codecs/nullable.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { accessListObject } from './accessList.ts'
import { contentMembers, waitingMembers } from './pooledTransaction.ts'
import { feeMembers, signatureMembers } from './transaction.ts'

/** The signer's public key, 64 bytes. */
function publicKeyOf(tx: Tx): Uint8Array | undefined {
  const input = recoveryInput(tx)
  return input && curve.recover(toHash32(input.subarray(0, 32)), input.subarray(32, 96), input[96]!)
}

/** A transaction in the pool, with the members in Besu's order. */
export const pendingTransactionObject = record<PoolEntry>('pending transaction', (member) => [
  ...waitingMembers,
  ...feeMembers,
  ...contentMembers,
  ...signatureMembers,
  member.optional('accessList', accessListObject, ({ tx }) => (tx.type === 0 ? undefined : accessListOf(tx))),
  member('chainId', nullable(quantity), ({ tx }) => chainIdOf(tx)),
  member('publicKey', nullable(data), ({ tx }) => publicKeyOf(tx)),
  member('raw', data, ({ tx }) => encodeTx(tx)),
  member('type', count, ({ tx }) => tx.type),
])
