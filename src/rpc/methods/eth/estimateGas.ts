import { estimateGas } from '../../../execution/estimateGas.ts'
import { executionError } from '../../calls/executionError.ts'
import { tryAtHead } from '../../calls/tryAtHead.ts'
import { callObject } from '../../codecs/callObject.ts'
import { quantity } from '../../codecs/quantity.ts'
import { callErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_estimateGas = method({
  name: 'eth_estimateGas',
  doc: 'Returns the gas that a transaction needs on the latest state. The `gas` of the call is ignored.',
  needs: ['budget', 'chain', 'evms'],
  params: [param('call', callObject)],
  result: quantity,
  errors: callErrors,
  example: [{ to: '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', value: '0x0' }],
  handler(context, [call]) {
    const { trial, gas, gasRun } = tryAtHead(context, call, ({ evm, tx, sender, options }) =>
      estimateGas(evm, tx, sender, options),
    )
    context.budget.spendGas(gasRun)
    if (trial.status === 0) throw executionError(trial, true)
    return gas
  },
})
