import { nullable } from '../codecs/nullable.ts'
import { quantity } from '../codecs/quantity.ts'
import { method } from '../method.ts'
import { nextRules } from '../nextBlock.ts'
import { nextBaseFee } from '../../execution/baseFee.ts'

/** Not in Besu 23.10. */
export const eth_baseFee = method({
  name: 'eth_baseFee',
  doc: 'Base fee of the next block; null where there is none.',
  needs: ['chain'],
  params: [],
  result: nullable(quantity),
  handler: ({ chain }) =>
    nextRules(chain).baseFee ? nextBaseFee(chain.head.header, chain.spec) : undefined,
})
