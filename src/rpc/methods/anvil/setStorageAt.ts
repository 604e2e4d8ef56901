import { alias } from '../../protocol/method.ts'
import { hardhat_setStorageAt } from '../hardhat/setStorageAt.ts'

export const anvil_setStorageAt = alias(hardhat_setStorageAt, 'anvil_setStorageAt')
