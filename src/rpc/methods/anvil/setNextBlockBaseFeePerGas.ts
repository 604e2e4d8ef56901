import { alias } from '../../protocol/method.ts'
import { hardhat_setNextBlockBaseFeePerGas } from '../hardhat/setNextBlockBaseFeePerGas.ts'

export const anvil_setNextBlockBaseFeePerGas = alias(
  hardhat_setNextBlockBaseFeePerGas,
  'anvil_setNextBlockBaseFeePerGas',
)
