import { TxError } from '../../../execution/fault.ts'
import type { TxOutcome } from '../../../execution/runTx.ts'
import { traceCall } from '../../../execution/tracing/traceCall.ts'
import { fixedTraceContext } from '../../../execution/tracing/traceContext.ts'
import { tryCallOn } from '../../../query/tryCall.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { requireBlockState } from '../../calls/requireBlockState.ts'
import { blockRef, latest } from '../../codecs/blockRef.ts'
import { callObject } from '../../codecs/callObject.ts'
import { pieces } from '../../codecs/pieces.ts'
import { RpcError } from '../../protocol/fault.ts'
import { txErrorObject } from '../../protocol/faultTable.ts'
import { method, param } from '../../protocol/method.ts'
import { boundedTrace } from '../../tracing/boundedTrace.ts'
import { callTraceOptions, defaultCallTraceOptions } from '../../tracing/callTraceOptions.ts'
import { scriptLimit, withScripts } from '../../tracing/script/watchScript.ts'
import { withStepLimit } from '../../tracing/traceOptions.ts'
import { structLogSchema, watchTx } from '../../tracing/watchTx.ts'

/** As in `eth_call`, fees and balances are ignored unless `strict` is true. */
export const debug_traceCall = method({
  name: 'debug_traceCall',
  doc: 'Executes a call on the state of a block, without a transaction, and returns its trace.',
  needs: ['budget', 'chain', 'evms', 'limits', 'traces'],
  params: [
    param('call', callObject),
    param('block', blockRef, { value: latest }),
    param('options', callTraceOptions, { value: defaultCallTraceOptions }),
  ],
  result: pieces(structLogSchema),
  errors: [
    [-32000, 'Block not found, its state is not available, or the call is not a valid transaction.'],
    [-32603, 'The trace timed out.'],
  ],
  example: [{ to: '0x0000000000000000000000000000000000000004', data: '0x616263' }, 'latest', { tracer: 'callTracer' }],
  runTime: (args) => scriptLimit(args[2], false),
  handler(ports, [call, ref, { trace: wanted, stateOverrides, blockOverrides: block }]) {
    const { budget, chain, evms, limits } = ports
    const trace = withStepLimit(wanted, limits.maxTraceSteps)
    const at = requireHeader(chain, ref)
    const where = requireBlockState(chain, at)
    const pays = call.strict ? 'all' : 'nothing'
    const beneficiary = evms.beneficiaryOf?.(at.header)
    const options = { ...where, pays, maxGas: budget.maxGas, beneficiary, block } as const
    return withScripts(trace, limits, (scripts) => {
      try {
        return tryCallOn(evms.trace, call, options, stateOverrides ?? [], (ready) => {
          const { evm, tx, sender } = ready
          const seen = ready.options.block
          const watched = { tx, sender, beneficiary: seen.beneficiary, block: seen }
          return boundedTrace(ports, (bounds) => {
            const context = fixedTraceContext(evm, where.state, ready.options.rules)
            const watch = bounds.within(watchTx(context, watched, trace, { ...bounds.traces, scripts }))
            const finish = (outcome: TxOutcome) => {
              budget.spendGas(outcome.gasUsed)
              return watch.finish(outcome)
            }
            return traceCall(evm, tx, sender, ready.options, { ...watch, finish })
          })
        })
      } catch (error) {
        if (!(error instanceof TxError)) throw error
        throw new RpcError({ code: 'TX_REFUSED', error: txErrorObject(error, true) }, error)
      }
    })
  },
})
