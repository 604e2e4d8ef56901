import type { HashedHeader } from '../../chain/view.ts'
import { blockEnvOf } from '../../execution/blockEnv.ts'
import { TxError } from '../../execution/fault.ts'
import { fixedGround } from '../../execution/tracing/ground.ts'
import { traceCall } from '../../execution/tracing/traceCall.ts'
import { zeroAddress } from '../../primitives/bytes.ts'
import { callTx } from '../../query/callTx.ts'
import { findState } from '../../query/findState.ts'
import { createGasAllowance, watchedTrialGas } from '../../query/gasAllowance.ts'
import { standOn } from '../../query/standOn.ts'
import type { CallObject } from '../codecs/callObject.ts'
import { RpcError } from '../protocol/fault.ts'
import { type BesuTraces, watchBesuTraces } from './besuTraces.ts'
import { boundedTrace } from './boundedTrace.ts'
import type { TracingPorts } from './placedTraces.ts'
import type { TraceType } from './traceTypes.ts'

/** A call with the traces that are wanted of it. */
export interface TracedCall {
  readonly call: CallObject
  readonly types: ReadonlySet<TraceType>
}

/**
 * Runs calls one after the other on the state after a block, in that block, and traces them. They pay as transactions
 * do: one that cannot is refused.
 */
export function traceCalls(ports: TracingPorts, at: HashedHeader, calls: readonly TracedCall[]): BesuTraces[] {
  const { chain, evm, traces } = ports
  const base = findState(chain, at)
  if (!base) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
  const { chainId } = chain.spec
  const rules = chain.rulesOf(at.header)
  const engine = evm.trace
  standOn(engine, chain, at, base)
  const block = blockEnvOf(at.header, rules, chainId, evm.beneficiaryOf?.(at.header))
  engine.setBlock(block, rules)
  const gas = createGasAllowance(watchedTrialGas)
  try {
    return boundedTrace(traces, (bounds) =>
      calls.map(({ call, types }) => {
        const sender = call.from ?? zeroAddress
        const gasLimit = gas.within(call.gas ?? at.header.gasLimit)
        const tx = callTx(call, { nonce: engine.nonce(sender), gasLimit, chainId, pays: true })
        const watch = watchBesuTraces(engine, fixedGround(engine, base, rules), { tx, sender }, types, bounds.traces)
        const traced = traceCall(engine, tx, sender, { block, rules, pays: true }, bounds.within(watch))
        gas.spend(traced.outcome.gasUsed)
        return traced
      }),
    )
  } catch (error) {
    if (error instanceof TxError) throw new RpcError({ code: 'INTERNAL_ERROR' }, error)
    throw error
  }
}
