import type { ChainView, SealedHeader } from '../chain/view.ts'
import type { Engine } from '../evm/engine.ts'
import { blockEnvOf } from '../execution/blockEnv.ts'
import type { TrialTerms } from '../execution/estimateGas.ts'
import { TxError } from '../execution/fault.ts'
import type { Payment } from '../execution/simulate.ts'
import { type Address, emptyBytes, keyOf, zeroAddress } from '../primitives/bytes.ts'
import type { StateView } from '../state/view.ts'
import type { Tx } from '../types/transaction.ts'
import { callTx } from './callTx.ts'
import type { CallObject } from './codecs/callObject.ts'
import { RpcError } from './fault.ts'
import { txErrorObject } from './faultTable.ts'
import { findState } from './resolveBlock.ts'
import { leaveClean, standOn } from './standOn.ts'
import { type AccountOverride, applyOverrides } from './stateOverrides.ts'

/** A trial made ready: the transaction that a call stands for, its sender and the block that it runs in. */
export interface PreparedTrial {
  readonly tx: Tx
  readonly sender: Address
  readonly terms: TrialTerms
}

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
  const { chainId } = chain.spec
  const rules = chain.rulesOf(at.header)
  const env = blockEnvOf(at.header, rules, chainId)
  const pays = payment === 'all'
  // Where nothing is paid there is no base fee to pay either, and contracts see none.
  const block = pays ? env : { ...env, baseFee: 0n }
  standOn(engine, chain, at, overrides ? withoutStorage(state, overrides) : state)
  engine.setBlock(block, rules)
  if (overrides) applyOverrides(engine, overrides)
  const sender = call.from ?? zeroAddress
  const gasLimit = call.gas ?? at.header.gasLimit
  return {
    tx: callTx(call, { nonce: engine.nonce(sender), gasLimit, chainId, pays }),
    sender,
    terms: { block, rules, payment },
  }
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
