import type { Address, Hash32 } from '../primitives/bytes.ts'
import { recoveryInputSize } from '../recovery/recoverBatch.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import { txHash } from '../types/encodeTx.ts'
import { isSenderKnown, rememberSender, writeRecoveryInput } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'

/**
 * Recovers the senders of many transactions in other threads, so that `senderOf` returns at once afterwards. `known`
 * saves the work for transactions that were seen before: those of a block are mostly in the pool.
 */
export async function recoverSenders(
  txs: readonly Tx[],
  pool: RecoverPool,
  known?: (hash: Hash32) => Address | undefined,
): Promise<void> {
  const asked: Tx[] = []
  const inputs = new Uint8Array(txs.length * recoveryInputSize)
  for (const tx of txs) {
    if (isSenderKnown(tx)) continue
    const sender = known?.(txHash(tx))
    if (sender) rememberSender(tx, sender)
    else if (writeRecoveryInput(tx, inputs, asked.length * recoveryInputSize)) asked.push(tx)
  }
  if (asked.length === 0) return
  const senders = await pool.recover(inputs.subarray(0, asked.length * recoveryInputSize))
  for (const [i, tx] of asked.entries()) {
    const sender = senders[i]
    if (sender) rememberSender(tx, sender)
  }
}
