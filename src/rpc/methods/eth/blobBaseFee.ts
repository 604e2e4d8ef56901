import { blobBaseFee, nextExcessBlobGas } from '../../../execution/blobFee.ts'
import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

/** Not in Besu 23.10; part of the public API since Cancun. */
export const eth_blobBaseFee = method({
  name: 'eth_blobBaseFee',
  doc: 'Returns the blob base fee of the next block in wei; 0 before Cancun.',
  needs: ['chain'],
  params: [],
  result: quantity,
  handler({ chain }) {
    const { header } = chain.head
    const rules = chain.rulesOf(header)
    return rules.blobs ? blobBaseFee(nextExcessBlobGas(header, rules), rules.blobs) : 0n
  },
})
