import type { ChainView } from '../../chain/view.ts'
import { TxError } from '../../execution/fault.ts'
import type { AccountOverride } from '../../query/accountOverrides.ts'
import { type BlockOverrides, joinOverrides } from '../../query/blockOverrides.ts'
import type { Evms } from '../../query/evms.ts'
import type { RequestBudget } from '../../query/requestBudget.ts'
import { type ReadyCall, tryCall, tryCallOn } from '../../query/tryCall.ts'
import type { CallObject } from '../codecs/callObject.ts'
import { RpcError } from '../protocol/fault.ts'
import { txErrorObject } from '../protocol/faultTable.ts'
import { requireBlockState } from './requireBlockState.ts'

interface HeadPorts {
  readonly evms: Evms
  readonly chain: ChainView
  readonly budget: RequestBudget
}

/** A call, and what it takes to be different about accounts and its block. */
export interface TrialCall {
  readonly call: CallObject
  readonly accounts: readonly AccountOverride[] | undefined
  readonly block?: BlockOverrides | undefined
}

/** Tries a call step by step at the head, with all the gas of a block: what estimates start from. Refusals are explained. */
export function tryAtHead<T>({ evms, chain, budget }: HeadPorts, trial: TrialCall, run: (ready: ReadyCall) => T): T {
  const { accounts } = trial
  const block = evms.nextBlock ? joinOverrides(evms.nextBlock(), trial.block) : trial.block
  const call = { ...trial.call, gas: undefined }
  const where = requireBlockState(chain, chain.head)
  const beneficiary = evms.beneficiaryOf?.(chain.head.header)
  const options = { ...where, pays: call.strict ? 'all' : 'value', beneficiary, block, maxGas: budget.maxGas } as const
  try {
    return accounts ? tryCallOn(evms.trace, call, options, accounts, run) : tryCall(evms.trace, call, options, run)
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    throw new RpcError({ code: 'TX_REFUSED', error: txErrorObject(error, true) }, error)
  }
}
