import type { ChainView } from '../../chain/view.ts'
import { nextBaseFee } from '../../execution/baseFee.ts'
import { blobBaseFee, nextExcessBlobGas } from '../../execution/blobFee.ts'
import type { PoolAccount, PoolHead } from '../../pool/ports.ts'
import { type Address, keyOf } from '../../primitives/bytes.ts'
import { nextRules } from '../../query/nextRules.ts'

/** What the pool checks transactions against: the state after the head, and the rules and fees of the next block. */
export function poolHeadOf(view: ChainView): PoolHead {
  const { spec } = view
  const { header } = view.head
  const rules = nextRules(spec, header)
  const state = view.stateAt(header.number)
  // A sender's transactions come one at a time: its account is read once for all of them.
  const accounts = new Map<string, PoolAccount | undefined>()
  function account(address: Address): PoolAccount | undefined {
    const key = keyOf(address)
    let found = accounts.get(key)
    if (found === undefined && !accounts.has(key)) {
      found = state.account(address)
      accounts.set(key, found)
    }
    return found
  }
  return {
    chainId: spec.chainId,
    rules,
    baseFee: rules.baseFee ? nextBaseFee(header, spec) : undefined,
    blobBaseFee: rules.blobs ? blobBaseFee(nextExcessBlobGas(header, rules), rules.blobs) : 0n,
    gasLimit: header.gasLimit,
    account,
    code: state.code,
  }
}
