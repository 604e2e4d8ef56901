import { alias } from '../../protocol/method.ts'
import { hardhat_setCoinbase } from '../hardhat/setCoinbase.ts'

export const anvil_setCoinbase = alias(hardhat_setCoinbase, 'anvil_setCoinbase')
