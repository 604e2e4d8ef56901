import type { HashedHeader } from '../../chain/view.ts'
import { TxError } from '../../execution/fault.ts'
import type { TxOutcome } from '../../execution/runTx.ts'
import { type Address, emptyBytes } from '../../primitives/bytes.ts'
import { type ReadyCall, simulateCall, tryCall } from '../../query/tryCall.ts'
import type { QueryContext } from '../context.ts'
import { QueryError } from '../fault.ts'

/** The input type CallData. */
export interface CallData {
  readonly from?: Address | null
  readonly to?: Address | null
  readonly gas?: bigint | null
  readonly gasPrice?: bigint | null
  readonly maxFeePerGas?: bigint | null
  readonly maxPriorityFeePerGas?: bigint | null
  readonly value?: bigint | null
  readonly data?: Uint8Array | null
}

/** The type CallResult. */
export interface CallResult {
  readonly data: Uint8Array
  readonly gasUsed: bigint
  readonly status: 0 | 1
}

/** Cost of a call in values of the budget; large enough to check the time too. */
const callCost = 500

/**
 * Runs a call on the state after a block. Nothing is paid, and the output of a failed call is not returned. Many calls of a
 * query run one by one, in different turns of the event loop.
 */
export function callAtBlock(data: CallData, at: HashedHeader, context: QueryContext): CallResult | Promise<CallResult> {
  return context.turns.run(() => runNow(data, at, context))
}

function runNow(data: CallData, at: HashedHeader, { ports, load, budget, trials }: QueryContext): CallResult {
  const feeMarket = (data.maxFeePerGas ?? data.maxPriorityFeePerGas ?? undefined) !== undefined
  if (feeMarket && (data.gasPrice ?? undefined) !== undefined) throw new QueryError({ code: 'INVALID_PARAMS' })
  if ((data.gas ?? 0n) < 0n) throw new QueryError({ code: 'NEGATIVE' })
  const call = {
    from: data.from ?? undefined,
    to: data.to ?? undefined,
    gas: data.gas ?? undefined,
    gasPrice: data.gasPrice ?? undefined,
    maxFee: data.maxFeePerGas ?? undefined,
    maxPriorityFee: data.maxPriorityFeePerGas ?? undefined,
    maxBlobFee: undefined,
    value: data.value ?? 0n,
    data: data.data ?? emptyBytes,
    nonce: undefined,
    accessList: undefined,
    blobHashes: undefined,
    authorizations: undefined,
  }
  budget.spend(callCost)
  if (trials.isUsedUp()) throw new QueryError({ code: 'TOO_MUCH_GAS' })
  const beneficiary = ports.beneficiaryOf?.(at.header)
  const where = { chain: load.chain, at, state: load.state(at) }
  const options = { ...where, pays: 'nothing', beneficiary, maxGas: trials.maxGas } as const
  const { status, output, gasUsed } = tryCall(ports.evm, call, options, simulateOrFail)
  trials.spendGas(gasUsed)
  return { data: status === 1 ? output : emptyBytes, gasUsed, status }
}

/** A call that cannot start has failed; as in Besu it used its gas limit plus 1. */
function simulateOrFail(ready: ReadyCall): Pick<TxOutcome, 'status' | 'output' | 'gasUsed'> {
  try {
    return simulateCall(ready)
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    return { status: 0, output: emptyBytes, gasUsed: ready.tx.gasLimit + 1n }
  }
}
