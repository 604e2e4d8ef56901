import type { ChainView } from '../../chain/view.ts'
import { TxError } from '../../execution/fault.ts'
import type { Evms } from '../../query/evms.ts'
import type { RequestBudget } from '../../query/requestBudget.ts'
import { type ReadyCall, tryCall } from '../../query/tryCall.ts'
import type { CallObject } from '../codecs/callObject.ts'
import { RpcError } from '../protocol/fault.ts'
import { txErrorObject } from '../protocol/faultTable.ts'
import { requireBlockState } from './requireBlockState.ts'

interface HeadPorts {
  readonly evms: Evms
  readonly chain: ChainView
  readonly budget: RequestBudget
}

/** Tries a call step by step at the head, with all the gas of a block: what estimates start from. Refusals are explained. */
export function tryAtHead<T>({ evms, chain, budget }: HeadPorts, call: CallObject, run: (ready: ReadyCall) => T): T {
  const where = requireBlockState(chain, chain.head)
  const beneficiary = evms.beneficiaryOf?.(chain.head.header)
  const pays = call.strict ? 'all' : 'value'
  try {
    return tryCall(evms.trace, { ...call, gas: undefined }, { ...where, pays, beneficiary, maxGas: budget.maxGas }, run)
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    throw new RpcError({ code: 'TX_REFUSED', error: txErrorObject(error, true) }, error)
  }
}
