import type { Address } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { noAccessList } from '../../src/types/transaction.ts'
import { benchChainId } from '../signedTransfers.ts'

const price = { maxFee: 100_000_000_000n, maxPriorityFee: 1_000_000_000n }

export interface Sending {
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Uint8Array
  readonly gasLimit?: bigint
}

/** A signed transaction, in hex. */
export function signed(key: Uint8Array, nonce: number, { to, value = 0n, data, gasLimit = 21_000n }: Sending): string {
  const body = { to, value, data: data ?? new Uint8Array(0), gasLimit, accessList: noAccessList }
  return toHex(encodeTx(signTx({ type: 2, chainId: benchChainId, nonce: BigInt(nonce), ...price, ...body }, key)))
}
