import { alias } from '../../protocol/method.ts'
import { hardhat_setLoggingEnabled } from '../hardhat/setLoggingEnabled.ts'

export const anvil_setLoggingEnabled = alias(hardhat_setLoggingEnabled, 'anvil_setLoggingEnabled')
