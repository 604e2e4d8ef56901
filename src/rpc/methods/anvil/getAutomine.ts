import { alias } from '../../protocol/method.ts'
import { hardhat_getAutomine } from '../hardhat/getAutomine.ts'

export const anvil_getAutomine = alias(hardhat_getAutomine, 'anvil_getAutomine')
