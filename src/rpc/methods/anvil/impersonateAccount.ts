import { alias } from '../../protocol/method.ts'
import { hardhat_impersonateAccount } from '../hardhat/impersonateAccount.ts'

export const anvil_impersonateAccount = alias(hardhat_impersonateAccount, 'anvil_impersonateAccount')
