import type { ChainView } from '../../chain/view.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Call } from '../../query/call.ts'
import { callTx } from '../../query/callTx.ts'
import { nextRules } from '../../query/nextRules.ts'
import type { Tx } from '../../types/transaction.ts'
import type { PoolPort } from '../protocol/context.ts'

/** Gas of a transaction that names none; the fork may allow less. */
const usualGas = 30_000_000n

/** The transaction that a call stands for, with nonce, gas and the lowest price where it names none. */
export function unsignedTxOf(
  call: Call,
  sender: Address,
  { head, spec, stateAt }: ChainView,
  pool: Pick<PoolPort, 'nextNonce'>,
): Tx {
  const { txGasCap } = nextRules(spec, head.header)
  const gasLimit = call.gas ?? (txGasCap !== undefined && txGasCap < usualGas ? txGasCap : usualGas)
  const nonce = call.nonce ?? pool.nextNonce(sender) ?? stateAt(head.header.number).account(sender)?.nonce ?? 0n
  const enough = 2n * (head.header.baseFee ?? 0n)
  const priced =
    call.maxPriorityFee !== undefined || call.maxFee !== undefined
      ? { maxFee: call.maxFee ?? enough + call.maxPriorityFee! }
      : { gasPrice: call.gasPrice ?? enough }
  return callTx({ ...call, ...priced }, { nonce, gasLimit, chainId: spec.chainId, pays: true })
}
