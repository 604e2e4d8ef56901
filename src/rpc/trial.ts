import type { ChainView, SealedHeader } from '../chain/view.ts'
import type { Engine } from '../evm/engine.ts'
import { TxError } from '../execution/fault.ts'
import type { Payment } from '../execution/simulate.ts'
import { emptyBytes, keyOf } from '../primitives/bytes.ts'
import { findState } from '../query/findState.ts'
import { type PreparedTrial, prepareTrial } from '../query/prepareTrial.ts'
import { leaveClean } from '../query/standOn.ts'
import type { StateView } from '../state/view.ts'
import type { CallObject } from './codecs/callObject.ts'
import { RpcError } from './fault.ts'
import { txErrorObject } from './faultTable.ts'
import { type AccountOverride, applyOverrides } from './stateOverrides.ts'

/** Where and how a call is tried out. */
export interface TrialPlace {
  readonly chain: ChainView
  readonly at: SealedHeader
  readonly payment: Payment
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

function prepare(engine: Engine, call: CallObject, { chain, at, payment, overrides }: TrialPlace): PreparedTrial {
  const state = findState(chain, at)
  if (!state) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
  return prepareTrial(engine, call, {
    chain,
    at,
    payment,
    state: overrides ? withoutStorage(state, overrides) : state,
    amend: overrides && (() => applyOverrides(engine, overrides)),
  })
}

/** Readies an engine on the state after a block, in that block, and tries a call out there. */
export function tryOut<T>(engine: Engine, call: CallObject, place: TrialPlace, run: (prepared: PreparedTrial) => T): T {
  const outcome = run(prepare(engine, call, place))
  // What was overridden stays overridden; whatever else a trial does is undone.
  if (!place.overrides) leaveClean(engine)
  return outcome
}

/** The same at the head with all the gas of a block: what estimates start from. Refusals are explained. */
export function tryOutAtHead<T>(
  engine: Engine,
  chain: ChainView,
  call: CallObject,
  run: (prepared: PreparedTrial) => T,
): T {
  const payment = call.strict ? 'all' : 'value'
  try {
    return tryOut(engine, { ...call, gas: undefined }, { chain, at: chain.head, payment }, run)
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    throw new RpcError({ code: 'TX_REFUSED', error: txErrorObject(error, true) }, error)
  }
}
