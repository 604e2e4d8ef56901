import type { ChainView } from '../../chain/view.ts'
import { nextBaseFee } from '../../execution/baseFee.ts'
import { blobBaseFee, nextExcessBlobGas } from '../../execution/blobFee.ts'
import type { PoolHead } from '../../pool/ports.ts'
import { nextRules } from '../../query/nextRules.ts'

/** What the pool checks transactions against: the state after the head, and the rules and fees of the next block. */
export function poolHeadOf(view: ChainView): PoolHead {
  const { spec } = view
  const { header } = view.head
  const rules = nextRules(spec, header)
  const state = view.stateAt(header.number)
  return {
    chainId: spec.chainId,
    rules,
    baseFee: rules.baseFee ? nextBaseFee(header, spec) : undefined,
    blobBaseFee: rules.blobs ? blobBaseFee(nextExcessBlobGas(header, rules), rules.blobs) : 0n,
    gasLimit: header.gasLimit,
    account: state.account,
    code: state.code,
  }
}
