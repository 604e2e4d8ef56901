import { alias } from '../../protocol/method.ts'
import { hardhat_setNonce } from '../hardhat/setNonce.ts'

export const anvil_setNonce = alias(hardhat_setNonce, 'anvil_setNonce')
