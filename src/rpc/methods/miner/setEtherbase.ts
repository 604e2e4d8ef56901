import { alias } from '../../protocol/method.ts'
import { miner_setCoinbase } from './setCoinbase.ts'

/** geth's name for it. */
export const miner_setEtherbase = alias(miner_setCoinbase, 'miner_setEtherbase')
