import type { ChainView } from '../chain/view.ts'
import type { Evm } from '../evm/evm.ts'
import type { BlockEnv } from '../evm/message.ts'
import { blockEnvOf } from '../execution/blockEnv.ts'
import type { Payment, TxOptions, TxOutcome } from '../execution/runTx.ts'
import { simulate } from '../execution/simulate.ts'
import type { Rules } from '../forks/rules.ts'
import { type Address, zeroAddress } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { Tx } from '../types/transaction.ts'
import { type AccountOverride, applyOverrides, withoutStorage } from './accountOverrides.ts'
import { type BlockOverrides, overrideHeader } from './blockOverrides.ts'
import type { Call } from './call.ts'
import { callTx } from './callTx.ts'
import { defaultGasCap } from './requestBudget.ts'
import { type BlockState, hostOf, type TrialEvm } from './trialEvm.ts'

/** A call as a transaction, on an interpreter that is ready to run it. */
export interface ReadyCall {
  readonly evm: Evm
  readonly tx: Tx
  readonly sender: Address
  readonly options: TxOptions
}

/** Where a call is tried out, in that block and on the state after it, and what it pays. */
export interface CallOptions extends BlockState {
  readonly pays: Payment
  /** Gas that the call may use at most, whatever it asks for. */
  readonly maxGas?: bigint | undefined
  /** Who collects fees, where it is not who the header names. */
  readonly beneficiary?: Address | undefined
  /** What the call takes to be different about the block. */
  readonly block?: BlockOverrides | undefined
}

/** The block that a call sees, and its rules. */
interface CallBlock {
  readonly block: BlockEnv
  readonly rules: Rules
}

function callBlockOf(header: Header, { chain, pays, block: changed, beneficiary }: PlaceOfCall): CallBlock {
  const rules = chain.rulesOf(header)
  const env = blockEnvOf(header, rules, chain.spec.chainId, changed?.feeRecipient ?? beneficiary)
  // Where no fee is paid there is no base fee to pay either, and contracts see none.
  const baseFee = pays === 'all' ? env.baseFee : (changed?.baseFee ?? 0n)
  return { block: { ...env, baseFee, blobBaseFee: changed?.blobBaseFee ?? env.blobBaseFee }, rules }
}

/** What calls that pay nothing and change nothing about their block see: most calls, nearly all at the same block. */
const plainBlocks = new WeakMap<Header, CallBlock & Pick<PlaceOfCall, 'beneficiary'> & Pick<ChainView, 'spec'>>()

function plainBlockOf(options: PlaceOfCall): CallBlock {
  const { beneficiary, at, chain } = options
  const known = plainBlocks.get(at.header)
  if (known && known.beneficiary === beneficiary && known.spec === chain.spec) return known
  const made = { ...callBlockOf(at.header, options), beneficiary, spec: chain.spec }
  plainBlocks.set(at.header, made)
  return made
}

type PlaceOfCall = Omit<CallOptions, 'state'>

/** Makes the transaction that a call stands for, in the block that the interpreter has the state of. */
export function readyCall(
  evm: Evm,
  call: Call,
  options: PlaceOfCall,
  overrides: readonly AccountOverride[],
): ReadyCall {
  const { at, pays, block: changed, maxGas = defaultGasCap } = options
  const { chainId } = options.chain.spec
  const header = changed ? overrideHeader(at.header, changed) : at.header
  const paysFees = pays === 'all'
  const isPlain = !paysFees && !changed
  const { block, rules } = isPlain ? plainBlockOf(options) : callBlockOf(header, options)
  evm.setBlock(block, rules)
  applyOverrides(evm, overrides)
  const sender = call.from ?? zeroAddress
  const wanted = call.gas ?? header.gasLimit
  const gasLimit = wanted < maxGas ? wanted : maxGas
  const tx = callTx(call, { nonce: evm.nonce(sender), gasLimit, chainId, pays: paysFees })
  return { evm, tx, sender, options: { block, rules, pays } }
}

/** Runs a call that `run` leaves no trace of. */
export function tryCall<T>(trialEvm: TrialEvm, call: Call, options: CallOptions, run: (ready: ReadyCall) => T): T {
  return trialEvm.at(options, (evm) => run(readyCall(evm, call, options, [])))
}

/** Runs a call on a state in which some accounts are different; its changes may stay until `run` returns. */
export function tryCallOn<T>(
  trialEvm: TrialEvm,
  call: Call,
  options: CallOptions,
  overrides: readonly AccountOverride[],
  run: (ready: ReadyCall) => T,
): T {
  const host = hostOf({ ...options, state: withoutStorage(options.state, overrides) })
  return trialEvm.apart(host, (evm) => run(readyCall(evm, call, options, overrides)))
}

/** Runs a call as `simulate` does. */
export function simulateCall({ evm, tx, sender, options }: ReadyCall): TxOutcome {
  return simulate(evm, tx, sender, options)
}
