import { type MeasuredTrial, measure } from '../../../execution/estimateGas.ts'
import { createSlotCollector } from '../../../execution/traceAccessList.ts'
import { compareBytes, equalBytes } from '../../../primitives/bytes.ts'
import { type AccessList, noAccessList } from '../../../types/transaction.ts'
import { executionError } from '../../calls/executionError.ts'
import { sameCode } from '../../calls/sameCode.ts'
import { stateOverrides } from '../../calls/stateOverrides.ts'
import { type TrialCall, tryAtHead } from '../../calls/tryAtHead.ts'
import { anything } from '../../codecs/anything.ts'
import { callObject } from '../../codecs/callObject.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { accessListObject } from '../../objects/accessList.ts'
import type { RpcContext } from '../../protocol/context.ts'
import { callErrors } from '../../protocol/errorDocs.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

interface Result {
  readonly gasUsed: bigint
  readonly accessList: AccessList
}

const resultObject = record<Result>('access list result', (member) => [
  member('gasUsed', quantity, ({ gasUsed }) => gasUsed),
  member('accessList', accessListObject, ({ accessList }) => accessList),
])

function sorted(list: AccessList): AccessList {
  return list
    .map(({ address, slots }) => ({ address, slots: [...slots].sort(compareBytes) }))
    .sort((a, b) => compareBytes(a.address, b.address))
}

function sameList(a: AccessList, b: AccessList): boolean {
  const [x, y] = [sorted(a), sorted(b)]
  if (x.length !== y.length) return false
  return x.every(({ address, slots }, i) => {
    const other = y[i]!
    if (!equalBytes(address, other.address) || slots.length !== other.slots.length) return false
    return slots.every((slot, k) => equalBytes(slot, other.slots[k]!))
  })
}

function runWith(
  context: Pick<RpcContext, 'budget' | 'evms' | 'chain' | 'limits'>,
  trial: TrialCall,
): MeasuredTrial & { list: AccessList } {
  const collector = createSlotCollector(trial.call.accessList ?? noAccessList)
  const measured = tryAtHead(context, trial, ({ evm, tx, sender, options }) =>
    measure(evm, tx, sender, options, collector.tracer),
  )
  context.budget.spendGas(measured.trial.gasUsed)
  if (measured.trial.status === 0) throw executionError(measured.trial, true, context.limits.revertFormat)
  return { ...measured, list: collector.slots() }
}

export const eth_createAccessList = method({
  name: 'eth_createAccessList',
  doc: 'Returns the access list of a transaction on the latest state, whatever block is given, and the gas that it uses with this list.',
  needs: ['budget', 'chain', 'evms', 'limits'],
  params: [
    param('call', callObject),
    optionalParam('block', anything),
    optionalParam('stateOverrides', stateOverrides),
  ],
  result: resultObject,
  errors: callErrors,
  example: [{ to: '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73' }],
  alike: sameCode,
  handler(context, [call, _, accounts]) {
    const first = runWith(context, { call, accounts })
    if (first.list.length === 0 || sameList(first.list, call.accessList ?? noAccessList))
      return { gasUsed: first.enough, accessList: first.list }
    const again = runWith(context, { call: { ...call, accessList: first.list }, accounts })
    return { gasUsed: again.enough, accessList: again.list }
  },
})
