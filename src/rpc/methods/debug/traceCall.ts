import { TxError } from '../../../execution/fault.ts'
import { fixedGround } from '../../../execution/tracing/ground.ts'
import { traceCall } from '../../../execution/tracing/traceCall.ts'
import { findState } from '../../../query/findState.ts'
import { watchedTrialGas } from '../../../query/gasAllowance.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { tryOut } from '../../calls/trial.ts'
import { blockRef, latest } from '../../codecs/blockRef.ts'
import { callObject } from '../../codecs/callObject.ts'
import { pieces } from '../../codecs/pieces.ts'
import { RpcError } from '../../protocol/fault.ts'
import { txErrorObject } from '../../protocol/faultTable.ts'
import { method, param } from '../../protocol/method.ts'
import { boundedTrace } from '../../tracing/boundedTrace.ts'
import { callTraceOptions, defaultCallTraceOptions } from '../../tracing/callTraceOptions.ts'
import { structLogSchema, watchTx } from '../../tracing/watchTx.ts'

/** As with `eth_call` nothing is paid unless the call says `strict`. */
export const debug_traceCall = method({
  name: 'debug_traceCall',
  doc: 'Tries a call out on the state of a block and tells each step, or what a tracer makes of it.',
  needs: ['chain', 'evm', 'traces'],
  params: [
    param('call', callObject),
    param('block', blockRef, { value: latest }),
    param('options', callTraceOptions, { value: defaultCallTraceOptions }),
  ],
  result: pieces(structLogSchema),
  errors: [
    [-32000, 'There is no such block, its state is not kept, or the call cannot be a transaction.'],
    [-32603, 'Watching the call took too long.'],
  ],
  example: [{ to: '0x0000000000000000000000000000000000000004', data: '0x616263' }, 'latest', { tracer: 'callTracer' }],
  handler({ chain, evm, traces }, [call, block, { trace, stateOverrides }]) {
    const at = requireHeader(chain, block)
    const payment = call.strict ? 'all' : 'nothing'
    // An override changes nothing where there is none; the engine is left as the call has changed it.
    const overrides = stateOverrides ?? []
    const place = { chain, at, payment, maxGas: watchedTrialGas, overrides } as const
    try {
      return tryOut(evm, 'trace', call, place, ({ tx, sender, terms }, engine) => {
        const base = findState(chain, at)!
        const watched = { tx, sender, beneficiary: terms.block.beneficiary }
        return boundedTrace(traces, (bounds) => {
          const watch = watchTx(fixedGround(engine, base, terms.rules), watched, trace, bounds.traces)
          return traceCall(engine, tx, sender, { ...terms, pays: payment === 'all' }, bounds.within(watch))
        })
      })
    } catch (error) {
      if (!(error instanceof TxError)) throw error
      throw new RpcError({ code: 'TX_REFUSED', error: txErrorObject(error, true) }, error)
    }
  },
})
