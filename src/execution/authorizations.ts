import type { Evm } from '../evm/evm.ts'
import { type Address, concatBytes } from '../primitives/bytes.ts'
import { maxU64 } from '../primitives/u256.ts'
import { authorityOf } from '../types/signTx.ts'
import type { Authorization } from '../types/transaction.ts'
import { authorizationGas } from './intrinsicGas.ts'

const delegationPrefix = Uint8Array.of(0xef, 0x01, 0x00)
const authorizationBaseGas = 12_500n

/** True for code that only points at another account's code (EIP-7702). */
export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00
}

function delegationTo(address: Address): Uint8Array {
  return address.every((byte) => byte === 0) ? new Uint8Array(0) : concatBytes(delegationPrefix, address)
}

/** Applies one authorization; one that does not fit is passed over, which is no fault of the transaction. */
function apply(evm: Evm, authorization: Authorization, chainId: bigint): void {
  if (authorization.chainId !== 0n && authorization.chainId !== chainId) return
  if (authorization.nonce >= maxU64) return
  const authority = authorityOf(authorization)
  if (!authority) return
  evm.warmAddress(authority)
  const code = evm.code(authority)
  if (code.length > 0 && !isDelegation(code)) return
  if (evm.nonce(authority) !== authorization.nonce) return
  if (evm.exists(authority)) evm.addRefund(authorizationGas - authorizationBaseGas)
  evm.setCode(authority, delegationTo(authorization.address))
  evm.setNonce(authority, authorization.nonce + 1n)
}

/** Sets the delegations that a transaction of type 4 carries. */
export function applyAuthorizations(evm: Evm, list: readonly Authorization[], chainId: bigint): void {
  for (const authorization of list) apply(evm, authorization, chainId)
}
