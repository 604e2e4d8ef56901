import type { ChainView, HashedHeader } from '../../chain/view.ts'
import type { Evm } from '../../evm/evm.ts'
import { TxError } from '../../execution/fault.ts'
import type { Payment } from '../../execution/simulate.ts'
import { emptyBytes, keyOf } from '../../primitives/bytes.ts'
import { findState } from '../../query/findState.ts'
import { type PreparedTrial, prepareTrial } from '../../query/prepareTrial.ts'
import { leaveClean } from '../../query/standOn.ts'
import type { StateView } from '../../state/view.ts'
import type { CallObject } from '../codecs/callObject.ts'
import type { EvmPort } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'
import { txErrorObject } from '../protocol/faultTable.ts'
import { type AccountOverride, applyOverrides } from './stateOverrides.ts'

/** Where and how a call is tried out. */
export interface TrialPlace {
  readonly chain: ChainView
  readonly at: HashedHeader
  readonly payment: Payment
  readonly maxGas?: bigint
  readonly overrides?: readonly AccountOverride[] | undefined
}

/** The state with the storage of some accounts empty: what overrides that name all of it start from. */
function withoutStorage(state: StateView, overrides: readonly AccountOverride[]): StateView {
  const emptied = new Set(overrides.filter((one) => one.state).map((one) => keyOf(one.address)))
  if (emptied.size === 0) return state
  return {
    ...state,
    storage: (address, slot) => (emptied.has(keyOf(address)) ? emptyBytes : state.storage(address, slot)),
  }
}

function prepare(evm: EvmPort, engine: Evm, call: CallObject, place: TrialPlace): PreparedTrial {
  const { chain, at, payment, maxGas, overrides } = place
  const state = findState(chain, at)
  if (!state) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
  return prepareTrial(engine, call, {
    chain,
    at,
    payment,
    maxGas,
    beneficiary: evm.beneficiaryOf?.(at.header),
    state: overrides ? withoutStorage(state, overrides) : state,
    amend: overrides && (() => applyOverrides(engine, overrides)),
  })
}

/** Readies an interpreter on the state after a block, in that block, and tries a call out there. */
export function tryOut<T>(
  evm: EvmPort,
  kind: 'fast' | 'trace',
  call: CallObject,
  place: TrialPlace,
  run: (prepared: PreparedTrial, engine: Evm) => T,
): T {
  const engine = evm[kind]
  const outcome = run(prepare(evm, engine, call, place), engine)
  // What was overridden stays overridden; whatever else a trial does is undone.
  if (!place.overrides) leaveClean(engine)
  return outcome
}

/** The same step by step at the head, with all the gas of a block: what estimates start from. Refusals are explained. */
export function tryOutAtHead<T>(
  evm: EvmPort,
  chain: ChainView,
  call: CallObject,
  run: (prepared: PreparedTrial, engine: Evm) => T,
): T {
  const payment = call.strict ? 'all' : 'value'
  try {
    return tryOut(evm, 'trace', { ...call, gas: undefined }, { chain, at: chain.head, payment }, run)
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    throw new RpcError({ code: 'TX_REFUSED', error: txErrorObject(error, true) }, error)
  }
}
