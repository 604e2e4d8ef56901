import type { ChainView } from '../../chain/view.ts'
import { nextBaseFee } from '../../execution/baseFee.ts'
import { blobBaseFee, nextExcessBlobGas } from '../../execution/blobFee.ts'
import type { PoolHead } from '../../pool/ports.ts'

/** What the pool needs to know of a chain: the state after its head and the terms of the block that comes next. */
export function poolHeadOf(view: ChainView): PoolHead {
  const { spec } = view
  const { header } = view.head
  const rules = spec.rulesAt({
    number: header.number + 1n,
    timestamp: header.timestamp + 1n,
    difficulty: header.difficulty,
  })
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
