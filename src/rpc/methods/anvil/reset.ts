import { alias } from '../../protocol/method.ts'
import { hardhat_reset } from '../hardhat/reset.ts'

export const anvil_reset = alias(hardhat_reset, 'anvil_reset')
