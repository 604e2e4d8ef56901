import type { ChainView, SealedHeader } from '../chain/view.ts'
import type { Engine } from '../evm/engine.ts'
import { blockEnvOf } from '../execution/blockEnv.ts'
import type { TrialTerms } from '../execution/estimateGas.ts'
import { TxError } from '../execution/fault.ts'
import type { Payment } from '../execution/simulate.ts'
import { type Address, emptyBytes, type Hash32, keyOf, zeroAddress } from '../primitives/bytes.ts'
import { createHost } from '../state/createHost.ts'
import type { StateView } from '../state/view.ts'
import { noAccessList, type Tx } from '../types/transaction.ts'
import type { CallObject } from './codecs/callObject.ts'
import { RpcError } from './fault.ts'
import { txErrorObject } from './faultTable.ts'
import { findState } from './resolveBlock.ts'
import { type AccountOverride, applyOverrides } from './stateOverrides.ts'

/** A trial made ready: the transaction that a call stands for, its sender and the block that it runs in. */
export interface PreparedTrial {
  readonly tx: Tx
  readonly sender: Address
  readonly terms: TrialTerms
}

/** A state, and what is to be different about it. */
export interface TrialState {
  readonly state: StateView
  readonly overrides?: readonly AccountOverride[] | undefined
}

interface Prices {
  readonly gasPrice: bigint
  readonly maxFee: bigint
  readonly maxPriorityFee: bigint
}

const noPrices: Prices = { gasPrice: 0n, maxFee: 0n, maxPriorityFee: 0n }

function pricesOf({ gasPrice, maxFee, maxPriorityFee }: CallObject): Prices {
  const price = gasPrice ?? maxFee ?? 0n
  return { gasPrice: price, maxFee: price, maxPriorityFee: maxPriorityFee ?? gasPrice ?? 0n }
}

const unsigned = { yParity: 0, r: 0n, s: 0n }

/** The transaction that a call stands for: of the oldest type that has what it names. */
function txOf(call: CallObject, prices: Prices, nonce: bigint, gasLimit: bigint, chainId: bigint): Tx {
  const { to, value, data, blobHashes, authorizations, accessList = noAccessList } = call
  const common = { to, value, data, nonce, gasLimit, chainId, accessList, ...unsigned, ...prices }
  if (authorizations) return { ...common, type: 4, authorizations }
  if (blobHashes)
    return { ...common, type: 3, blobHashes: blobHashes as readonly Hash32[], maxBlobFee: call.maxBlobFee ?? 0n }
  if (call.maxFee !== undefined || call.maxPriorityFee !== undefined) return { ...common, type: 2 }
  return call.accessList ? { ...common, type: 1 } : { ...common, type: 0, v: 27n }
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

/** Readies an engine on the state after a block, in that block. */
export function prepareTrial(
  engine: Engine,
  chain: ChainView,
  at: SealedHeader,
  { state, overrides = [] }: TrialState,
  call: CallObject,
  payment: Payment,
): PreparedTrial {
  const { spec } = chain
  const rules = chain.rulesOf(at.header)
  const env = blockEnvOf(at.header, rules, spec.chainId)
  // Where nothing is paid there is no base fee to pay either, and contracts see none.
  const block = payment === 'all' ? env : { ...env, baseFee: 0n }
  engine.reset(createHost(withoutStorage(state, overrides), (number) => chain.hashAt(number)))
  engine.setBlock(block, rules)
  applyOverrides(engine, overrides)
  const sender = call.from ?? zeroAddress
  const prices = payment === 'all' ? pricesOf(call) : noPrices
  const tx = txOf(call, prices, engine.nonce(sender), call.gas ?? at.header.gasLimit, spec.chainId)
  return { tx, sender, terms: { block, rules, payment } }
}

/** The same at the head with all the gas of a block: what estimates start from. */
export function prepareTrialAtHead(engine: Engine, chain: ChainView, call: CallObject): PreparedTrial {
  const state = findState(chain, chain.head)
  if (!state) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
  const payment = call.strict ? 'all' : 'value'
  return prepareTrial(engine, chain, chain.head, { state }, { ...call, gas: undefined }, payment)
}

/** Estimates tell with what numbers a transaction was refused. */
export function explainingTxFaults<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    throw new RpcError({ code: 'TX_REFUSED', error: txErrorObject(error, true) }, error)
  }
}
