import { alias } from '../../protocol/method.ts'
import { hardhat_setBalance } from '../hardhat/setBalance.ts'

export const anvil_setBalance = alias(hardhat_setBalance, 'anvil_setBalance')
