import { joinOverrides } from '../../../query/blockOverrides.ts'
import { simulateCall, tryCall, tryCallOn } from '../../../query/tryCall.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { callBlockOverrides } from '../../calls/blockOverrides.ts'
import { executionError } from '../../calls/executionError.ts'
import { requireBlockState } from '../../calls/requireBlockState.ts'
import { sameCode } from '../../calls/sameCode.ts'
import { stateOverrides } from '../../calls/stateOverrides.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { data } from '../../codecs/bytes.ts'
import { callObject, lazyDecoder } from '../../codecs/callObject.ts'
import { callErrors } from '../../protocol/errorDocs.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

/** Fees and balances are ignored unless `strict` is true. */
export const eth_call = method({
  name: 'eth_call',
  doc: 'Executes a call, or without `to` a contract creation, on the state of a block without creating a transaction. Returns its output.',
  needs: ['budget', 'chain', 'evms', 'limits'],
  params: [
    param('call', lazyDecoder(callObject)),
    param('block', blockRef),
    optionalParam('stateOverrides', lazyDecoder(stateOverrides)),
    optionalParam('blockOverrides', lazyDecoder(callBlockOverrides)),
  ],
  result: data,
  errors: callErrors,
  example: [{ to: '0x0000000000000000000000000000000000000004', data: '0x616263' }, 'latest'],
  alike: sameCode,
  handler({ budget, chain, evms, limits }, [readCall, ref, readOverrides, readBlock]) {
    const at = requireHeader(chain, ref)
    const call = readCall()
    const overrides = readOverrides?.()
    const own = readBlock?.()
    const block = evms.nextBlock && 'tag' in ref && ref.tag === 'pending' ? joinOverrides(evms.nextBlock(), own) : own
    const pays = call.strict ? 'all' : 'nothing'
    const beneficiary = evms.beneficiaryOf?.(at.header)
    // Member by member: copying them by spread shows in the time that a call takes.
    const { state } = requireBlockState(chain, at)
    const options = { chain, at, state, pays, beneficiary, block, maxGas: budget.maxGas } as const
    const outcome = overrides
      ? tryCallOn(evms.calls, call, options, overrides, simulateCall)
      : tryCall(evms.calls, call, options, simulateCall)
    budget.spendGas(outcome.gasUsed)
    if (outcome.status === 0) throw executionError(outcome, false, limits.revertFormat)
    return outcome.output
  },
})
