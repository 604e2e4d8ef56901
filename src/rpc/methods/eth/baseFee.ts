import { nextBaseFee } from '../../../execution/baseFee.ts'
import { nextRules } from '../../../query/nextRules.ts'
import { nullable } from '../../codecs/nullable.ts'
import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

/** Not in Besu 23.10. */
export const eth_baseFee = method({
  name: 'eth_baseFee',
  doc: 'Returns the base fee of the next block in wei; null before London.',
  needs: ['chain'],
  params: [],
  result: nullable(quantity),
  handler({ chain: { head, spec } }) {
    return nextRules(spec, head.header).baseFee ? nextBaseFee(head.header, spec) : undefined
  },
})
