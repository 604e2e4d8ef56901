import { alias } from '../../protocol/method.ts'
import { eth_getHeaderByNumber } from '../eth/getHeaderByNumber.ts'

/** Otterscan asks for it by this name. */
export const erigon_getHeaderByNumber = alias(eth_getHeaderByNumber, 'erigon_getHeaderByNumber')
