import type { Address } from '../primitives/bytes.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import { rememberSender } from './signTx.ts'
import type { Tx } from './transaction.ts'

/** The s of all transactions that nobody signed: the text "impersonated". */
const mark = bytesToBigInt(new TextEncoder().encode('impersonated'))
/** Above all addresses, so that r is never 0. */
const aboveAddresses = 1n << 160n

/** Gives an unsigned transaction a signature that stands for its sender, who is remembered. */
export function impersonate(tx: Tx, sender: Address, chainId: bigint): Tx {
  const signature = { r: aboveAddresses + bytesToBigInt(sender), s: mark }
  const signed: Tx =
    tx.type === 0 ? { ...tx, ...signature, v: 35n + 2n * chainId } : { ...tx, ...signature, yParity: 0 }
  rememberSender(signed, sender)
  return signed
}

/** Whether a transaction may have a sender that its signature does not show. */
export function isImpersonated(tx: Tx): boolean {
  return tx.s === mark
}
