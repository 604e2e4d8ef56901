import { alias } from '../../protocol/method.ts'
import { hardhat_setCode } from '../hardhat/setCode.ts'

export const anvil_setCode = alias(hardhat_setCode, 'anvil_setCode')
