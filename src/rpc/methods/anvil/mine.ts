import { alias } from '../../protocol/method.ts'
import { hardhat_mine } from '../hardhat/mine.ts'

export const anvil_mine = alias(hardhat_mine, 'anvil_mine')
