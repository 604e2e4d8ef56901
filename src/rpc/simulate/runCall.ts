import type { Evm } from '../../evm/evm.ts'
import type { BlockEnv } from '../../evm/message.ts'
import { run, settle, upfrontCost, warm } from '../../execution/applyTx.ts'
import { blobGasOf, floorGas, intrinsicGas } from '../../execution/intrinsicGas.ts'
import type { CallFailure } from '../../execution/tracing/callTracer.ts'
import { type Rules, since } from '../../forks/rules.ts'
import type { Address } from '../../primitives/bytes.ts'
import { maxU64 } from '../../primitives/u256.ts'
import type { Log } from '../../types/log.ts'
import { blobHashesOf, effectiveGasPriceOf, maxGasPriceOf, type Tx } from '../../types/transaction.ts'
import { refuse } from './fault.ts'
import { createTransferLogs } from './transferLogs.ts'

export interface CallOutcome {
  readonly status: 0 | 1
  /** Undefined when it succeeded. */
  readonly failure: CallFailure | undefined
  readonly output: Uint8Array
  readonly gasUsed: bigint
  /** Most gas that was used at any time: refunds come at the end. */
  readonly maxUsedGas: bigint
  /** What receipts have. */
  readonly logs: readonly Log[]
  /** What is shown: with movements of ether where they are asked for. */
  readonly shownLogs: readonly Log[]
}

export interface CallTerms {
  readonly block: BlockEnv
  readonly rules: Rules
  readonly validation: boolean
  readonly traceTransfers: boolean
  /** Precompiled contracts of the fork: they stay warm also where they are overridden. */
  readonly warm: readonly Address[]
}

function checkNonce(evm: Evm, tx: Tx, sender: Address): void {
  const nonce = evm.nonce(sender)
  if (tx.nonce > nonce) throw refuse('NONCE_TOO_HIGH', `nonce too high: tx: ${tx.nonce} state: ${nonce}`)
  if (tx.nonce < nonce) throw refuse('NONCE_TOO_LOW', `nonce too low: tx: ${tx.nonce} state: ${nonce}`)
  if (nonce >= maxU64) throw refuse('NONCE_OVERFLOW', `nonce has max value: ${nonce}`)
}

/** Without validation, a call that names no price pays none. */
function isFree(tx: Tx, { validation }: CallTerms): boolean {
  return !validation && maxGasPriceOf(tx) === 0n
}

function check(evm: Evm, tx: Tx, sender: Address, terms: CallTerms): void {
  const { block, rules, validation } = terms
  if (validation) checkNonce(evm, tx, sender)
  const price = maxGasPriceOf(tx)
  if (!isFree(tx, terms) && price < block.baseFee)
    throw refuse('FEE_BELOW_BASE_FEE', `max fee per gas less than block base fee: ${price} < ${block.baseFee}`)
  const have = evm.balance(sender)
  const want = upfrontCost(tx)
  if (have < want)
    throw refuse('INSUFFICIENT_FUNDS', `insufficient funds for gas * price + value: have ${have} want ${want}`)
  const intrinsic = intrinsicGas(tx, rules)
  const floor = floorGas(tx, rules)
  const min = intrinsic > floor ? intrinsic : floor
  if (tx.gasLimit < min) throw refuse('INTRINSIC_GAS', `intrinsic gas too low: have ${tx.gasLimit}, want ${min}`)
  if (!tx.to && rules.initCodeWordGas > 0n && tx.data.length > 2 * rules.maxCodeSize)
    throw refuse('INIT_CODE_SIZE', `max initcode size exceeded: code size ${tx.data.length}`)
}

/** Runs one call for good: its changes stay for those that follow. */
export function runCall(evm: Evm, tx: Tx, sender: Address, terms: CallTerms): CallOutcome {
  check(evm, tx, sender, terms)
  const { block, rules } = terms
  const free = isFree(tx, terms)
  const price = free ? 0n : effectiveGasPriceOf(tx, block.baseFee)
  const transfers = terms.traceTransfers ? createTransferLogs() : undefined
  let failedStep: CallFailure | undefined
  evm.setTracer({
    watches: [],
    ...transfers?.tracer,
    onStepEnd({ error, op, stackHeight, depth }) {
      if (error && depth === 1) failedStep = { halt: error, op, stackHeight }
    },
  })
  evm.beginTx({ origin: sender, gasPrice: price, blobHashes: blobHashesOf(tx) })
  warm(evm, tx, sender, block, rules)
  if (since(rules, 'berlin')) for (const address of terms.warm) evm.warmAddress(address)
  const blobFee = free ? 0n : blobGasOf(tx) * block.blobBaseFee
  evm.subBalance(sender, tx.gasLimit * price + blobFee)
  // Where nonces are not enforced, the account's own one counts.
  const outcome = run(evm, { ...tx, nonce: evm.nonce(sender) }, sender, block, rules)
  const gasUsed = settle(evm, tx, outcome, rules)
  evm.addBalance(sender, (tx.gasLimit - gasUsed) * price)
  if (!free) evm.addBalance(block.beneficiary, gasUsed * (price - block.baseFee))
  const logs = evm.logs()
  evm.endTx()
  evm.setTracer(undefined)
  const spent = tx.gasLimit - outcome.gasLeft
  const succeeded = outcome.status === 'success'
  return {
    status: succeeded ? 1 : 0,
    failure: succeeded ? undefined : (failedStep ?? { halt: outcome.halt, op: 0, stackHeight: 0 }),
    output: outcome.output,
    gasUsed,
    maxUsedGas: spent > gasUsed ? spent : gasUsed,
    logs,
    shownLogs: transfers?.logs() ?? logs,
  }
}
