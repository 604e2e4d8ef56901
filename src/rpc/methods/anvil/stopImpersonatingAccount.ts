import { alias } from '../../protocol/method.ts'
import { hardhat_stopImpersonatingAccount } from '../hardhat/stopImpersonatingAccount.ts'

export const anvil_stopImpersonatingAccount = alias(hardhat_stopImpersonatingAccount, 'anvil_stopImpersonatingAccount')
