import type { Address } from '../primitives/bytes.ts'
import { encodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../primitives/rlp.ts'

/** A payment that the consensus layer makes to an account (EIP-4895). */
export interface Withdrawal {
  readonly index: bigint
  readonly validatorIndex: bigint
  readonly address: Address
  /** In gwei, unlike every other amount. */
  readonly amount: bigint
}

export function withdrawalToRlp({ index, validatorIndex, address, amount }: Withdrawal): RlpItem[] {
  return [scalar(index), scalar(validatorIndex), address, scalar(amount)]
}

export function encodeWithdrawal(withdrawal: Withdrawal): Uint8Array {
  return encodeRlp(withdrawalToRlp(withdrawal))
}

export function withdrawalFromRlp(item: RlpItem): Withdrawal {
  const [index, validatorIndex, address, amount] = rlpList(item, 4)
  return {
    index: rlpScalar(index, 64),
    validatorIndex: rlpScalar(validatorIndex, 64),
    address: rlpBytes(address, 20).slice() as Address,
    amount: rlpScalar(amount, 64),
  }
}
