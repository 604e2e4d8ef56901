import { alias } from '../../protocol/method.ts'
import { hardhat_dropTransaction } from '../hardhat/dropTransaction.ts'

export const anvil_dropTransaction = alias(hardhat_dropTransaction, 'anvil_dropTransaction')
