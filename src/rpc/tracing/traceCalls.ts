import type { HashedHeader } from '../../chain/view.ts'
import type { Evm } from '../../evm/evm.ts'
import { blockEnvOf } from '../../execution/blockEnv.ts'
import { TxError, type TxFault } from '../../execution/fault.ts'
import { traceCall } from '../../execution/tracing/traceCall.ts'
import { fixedTraceContext } from '../../execution/tracing/traceContext.ts'
import { zeroAddress } from '../../primitives/bytes.ts'
import { callTx } from '../../query/callTx.ts'
import { hostOf } from '../../query/trialEvm.ts'
import { requireBlockState } from '../calls/requireBlockState.ts'
import type { CallObject } from '../codecs/callObject.ts'
import type { RpcContext } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'
import { txErrorObject } from '../protocol/faultTable.ts'
import { type BesuTraces, watchBesuTraces } from './besuTraces.ts'
import { boundedTrace, type TraceBounds } from './boundedTrace.ts'
import type { TracingPorts } from './replay.ts'
import type { TraceType } from './traceTypes.ts'

/** The ports that tracing calls takes. */
type TrialPorts = TracingPorts & Pick<RpcContext, 'budget'>

/** A call with the traces that are wanted of it. */
export interface TracedCall {
  readonly call: CallObject
  readonly types: ReadonlySet<TraceType>
}

/**
 * Runs calls one at a time on the state after a block, in that block, and traces them. They pay as transactions
 * do: one that cannot is refused.
 */
export function traceCalls(ports: TrialPorts, at: HashedHeader, calls: readonly TracedCall[]): BesuTraces[] {
  const { budget, chain, evms } = ports
  const where = requireBlockState(chain, at)
  const { chainId } = chain.spec
  const rules = chain.rulesOf(at.header)
  const block = blockEnvOf(at.header, rules, chainId, evms.beneficiaryOf?.(at.header))

  function traceOne(evm: Evm, { call, types }: TracedCall, bounds: TraceBounds): BesuTraces {
    const sender = call.from ?? zeroAddress
    if (budget.isUsedUp()) throw new RpcError({ code: 'TIMEOUT' })
    const wanted = call.gas ?? at.header.gasLimit
    const gasLimit = wanted < budget.maxGas ? wanted : budget.maxGas
    const tx = callTx(call, { nonce: evm.nonce(sender), gasLimit, chainId, pays: true })
    const watch = watchBesuTraces(fixedTraceContext(evm, where.state, rules), { tx, sender }, types, bounds.traces)
    const traced = traceCall(evm, tx, sender, { block, rules }, bounds.within(watch))
    budget.spendGas(traced.outcome.gasUsed)
    return traced
  }

  try {
    return evms.trace.apart(hostOf(where), (evm) => {
      evm.setBlock(block, rules)
      return boundedTrace(ports, (bounds) => calls.map((one) => traceOne(evm, one, bounds)))
    })
  } catch (error) {
    throw error instanceof TxError ? refusalOf(error) : error
  }
}

/** Refusals that Besu shows as internal errors: the call cannot pay. */
const unpaid: ReadonlySet<TxFault['code']> = new Set([
  'INSUFFICIENT_FUNDS',
  'GAS_COST_OVERFLOW',
  'MAX_FEE_BELOW_BASE_FEE',
])

/** The error of a call that cannot be a transaction: the reason, except where clients know the answer of Besu. */
function refusalOf(error: TxError): RpcError {
  if (unpaid.has(error.at.code)) return new RpcError({ code: 'INTERNAL_ERROR' }, error)
  return new RpcError({ code: 'TX_REFUSED', error: txErrorObject(error, true) }, error)
}
