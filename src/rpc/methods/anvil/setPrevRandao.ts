import { alias } from '../../protocol/method.ts'
import { hardhat_setPrevRandao } from '../hardhat/setPrevRandao.ts'

export const anvil_setPrevRandao = alias(hardhat_setPrevRandao, 'anvil_setPrevRandao')
