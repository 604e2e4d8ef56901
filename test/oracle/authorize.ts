import { emptyBytes } from '../../src/primitives/bytes.ts'
import { maxU64 } from '../../src/primitives/u256.ts'
import { authorityOf } from '../../src/types/signTx.ts'
import type { Authorization } from '../../src/types/transaction.ts'
import { delegateOf, delegationTo } from './delegation.ts'
import { addressNumber } from './words.ts'
import type { World } from './world.ts'

/** Sets or clears one account's delegation; a wish that does not fit is passed over (EIP-7702). */
export function authorize(world: World, wish: Authorization, chainId: bigint): void {
  if (wish.chainId !== 0n && wish.chainId !== chainId) return
  if (wish.nonce >= maxU64) return
  const signer = authorityOf(wish)
  if (signer === undefined) return
  const authority = addressNumber(signer)
  world.warmAddress(authority)
  const code = world.code(authority)
  if (code.length > 0 && delegateOf(code) === undefined) return
  if (world.nonce(authority) !== wish.nonce) return
  // 25,000 were paid for an account that might have been new.
  if (world.exists(authority)) world.addRefund(12_500n)
  const target = addressNumber(wish.address)
  world.setCode(authority, target === 0n ? emptyBytes : delegationTo(target))
  world.setNonce(authority, wish.nonce + 1n)
}
