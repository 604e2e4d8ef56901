import { estimateGas } from '../../../execution/estimateGas.ts'
import { callBlockOverrides } from '../../calls/blockOverrides.ts'
import { executionError } from '../../calls/executionError.ts'
import { sameCode } from '../../calls/sameCode.ts'
import { stateOverrides } from '../../calls/stateOverrides.ts'
import { tryAtHead } from '../../calls/tryAtHead.ts'
import { anything } from '../../codecs/anything.ts'
import { callObject } from '../../codecs/callObject.ts'
import { quantity } from '../../codecs/quantity.ts'
import { callErrors } from '../../protocol/errorDocs.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

/** As in Besu the block does not count: estimates are made at the head. */
export const eth_estimateGas = method({
  name: 'eth_estimateGas',
  doc:
    'Returns a gas limit with which a transaction was seen to succeed on the latest state, whatever block is given. It is at most ' +
    '1.5 % (`--estimate-gas-tolerance-ratio`) above the least that works, and usually the least. The `gas` of the call is ignored. On the DEV network it is made in the next block.',
  needs: ['budget', 'chain', 'evms', 'limits'],
  params: [
    param('call', callObject),
    optionalParam('block', anything),
    optionalParam('stateOverrides', stateOverrides),
    optionalParam('blockOverrides', callBlockOverrides),
  ],
  result: quantity,
  errors: callErrors,
  example: [{ to: '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', value: '0x0' }],
  alike: sameCode,
  handler(context, [call, _, accounts, block]) {
    const { trial, gas, gasRun } = tryAtHead(context, { call, accounts, block }, ({ evm, tx, sender, options }) =>
      estimateGas(evm, tx, sender, options, context.limits.estimateTolerance),
    )
    context.budget.spendGas(gasRun)
    if (trial.status === 0) throw executionError(trial, true, context.limits.revertFormat)
    return gas
  },
})
