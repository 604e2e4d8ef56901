import type { Hex } from 'viem'
import { formatAmount, formatCount } from '../format/numbers.ts'

/** A transaction that waits in the pool. */
export interface WaitingTx {
  readonly nonce: Hex
  readonly gas: Hex
  readonly value: Hex
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
}

/** What decides whether a transaction can be mined now. */
export interface SenderFacts {
  /** The nonce of the sender's next transaction in a block. */
  readonly next: number
  /** Nonces of the sender that are in the pool. */
  readonly known: ReadonlySet<number>
  readonly balance: bigint | undefined
  /** Of the last block; undefined before London. */
  readonly baseFee: bigint | undefined
}

/** Nonces before one that are neither in a block nor in the pool. */
function missingNonces(nonce: number, { next, known }: SenderFacts): readonly number[] {
  const missing: number[] = []
  for (let at = next; at < nonce && missing.length < 4; at++) if (!known.has(at)) missing.push(at)
  return missing
}

/** Why a transaction is not in a block yet; undefined if the next block may take it. */
export function waitReason(tx: WaitingTx, facts: SenderFacts): string | undefined {
  const nonce = Number(tx.nonce)
  if (nonce < facts.next) return `nonce ${formatCount(nonce)} is used: another transaction has it`
  const missing = missingNonces(nonce, facts)
  if (missing.length === 1) return `nonce ${formatCount(missing[0]!)} is missing`
  if (missing.length > 1)
    return `nonces ${missing.slice(0, 3).map(formatCount).join(', ')}${missing.length > 3 ? ' …' : ''} are missing`
  const price = BigInt(tx.maxFeePerGas ?? tx.gasPrice ?? 0)
  if (facts.baseFee !== undefined && price < facts.baseFee)
    return `it pays at most ${formatAmount(price, 9)} gwei, the base fee is ${formatAmount(facts.baseFee, 9)} gwei`
  const cost = BigInt(tx.value) + BigInt(tx.gas) * price
  if (facts.balance !== undefined && cost > facts.balance)
    return `it may cost ${formatAmount(cost, 18)} ether, its sender has ${formatAmount(facts.balance, 18)}`
  return undefined
}
