import { simulate } from '../../../execution/simulate.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { executionError } from '../../calls/executionError.ts'
import { stateOverrides } from '../../calls/stateOverrides.ts'
import { tryOut } from '../../calls/trial.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { data } from '../../codecs/bytes.ts'
import { callObject, lazy } from '../../codecs/callObject.ts'
import { callErrors } from '../../protocol/errorDocs.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

/** Balances are enforced only where the call says `strict`; otherwise nothing is paid at all. */
export const eth_call = method({
  name: 'eth_call',
  doc: 'Tries a call, or without `to` a contract creation, on the state of a block and gives what it returns.',
  needs: ['chain', 'evm'],
  params: [
    param('call', lazy(callObject)),
    param('block', blockRef),
    optionalParam('stateOverrides', lazy(stateOverrides)),
  ],
  result: data,
  errors: callErrors,
  example: [{ to: '0x0000000000000000000000000000000000000004', data: '0x616263' }, 'latest'],
  handler({ chain, evm }, [readCall, block, readOverrides]) {
    const at = requireHeader(chain, block)
    const call = readCall()
    const overrides = readOverrides?.()
    const place = { chain, at, overrides, payment: call.strict ? 'all' : 'nothing' } as const
    const trial = tryOut(evm, 'fast', call, place, ({ tx, sender, terms }, engine) =>
      simulate(engine, tx, sender, terms, terms.payment),
    )
    if (trial.status !== 'success') throw executionError(trial, false)
    return trial.output
  },
})
