import { randomBytes } from 'node:crypto'
import { devAccounts } from '../../../src/forks/devGenesis.ts'
import { fromHex, hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import { encodeTx } from '../../../src/types/encodeTx.ts'
import { signTx } from '../../../src/types/signTx.ts'
import type { Tx } from '../../../src/types/transaction.ts'
import { guest } from '../../interop/rpcNode.ts'

const chainId = 1337n
const fields = { gasPrice: 0n, value: 0n, chainId, to: hexToAddress(guest) }

function signed(account: 0 | 1 | 2, nonce: bigint, data = new Uint8Array(0)): Tx {
  const gasLimit = 21_000n + 40n * BigInt(data.length)
  return signTx({ type: 0, nonce, gasLimit, data, ...fields }, fromHex(devAccounts[account].privateKey))
}

const rawOf = (tx: Tx): string => toHex(encodeTx(tx))

/** One transfer under ever different signatures: about half of them are valid, for accounts that nobody has heard of. */
export function mutatedSignatures(count: number): string[] {
  const tx = signed(0, 0n)
  const start = BigInt(Date.now()) << 100n
  return Array.from({ length: count }, (_, i) => rawOf({ ...tx, r: tx.r ^ (start + BigInt(i)) }))
}

/** Transfers, the first of which has this nonce. */
export function transfers(count: number, first: bigint): string[] {
  return Array.from({ length: count }, (_, i) => rawOf(signed(2, first + BigInt(i))))
}

/** Transactions that miss earlier ones of their account. */
export function nonceGaps(count: number): string[] {
  return Array.from({ length: count }, (_, i) => rawOf(signed(1, 10n + BigInt(i))))
}

/** Transactions of nearly 128 KB, the first of which has this nonce. */
export function largeTxs(count: number, first: bigint): string[] {
  // What cannot be compressed costs more.
  return Array.from({ length: count }, (_, i) => rawOf(signed(2, first + BigInt(i), randomBytes(127 * 1024))))
}
