import type { Address } from '../src/primitives/bytes.ts'
import { bigIntToFixed } from '../src/primitives/u256.ts'
import { encodeTx } from '../src/types/encodeTx.ts'
import { signTx } from '../src/types/signTx.ts'
import { noAccessList } from '../src/types/transaction.ts'

export const benchChainId = 1337n

/** Encoded fee-market transfers as clients send them: `senders` accounts take turns, each with rising nonces. */
export function signedTransfers(count: number, senders: number): Uint8Array[] {
  const keys = Array.from({ length: senders }, (_, i) => bigIntToFixed(BigInt(i + 1), 32))
  const to = bigIntToFixed(0xbeefn, 20) as Address
  return Array.from({ length: count }, (_, i) => {
    const fees = { maxPriorityFee: BigInt(1_000_000_000 + (i % 1000)), maxFee: 20_000_000_000n }
    const nonce = BigInt(Math.floor(i / senders))
    const fields = { gasLimit: 21_000n, to, value: 1n, data: new Uint8Array(0), accessList: noAccessList }
    return encodeTx(signTx({ type: 2, chainId: benchChainId, nonce, ...fees, ...fields }, keys[i % senders]!))
  })
}
