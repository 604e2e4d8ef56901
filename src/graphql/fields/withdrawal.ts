import type { Withdrawal } from '../../types/withdrawal.ts'
import type { Fields } from '../context.ts'

export const withdrawalFields: Fields<Withdrawal> = {
  index: ({ index }) => index,
  validator: ({ validatorIndex }) => validatorIndex,
  address: ({ address }) => address,
  amount: ({ amount }) => amount,
}
