import { type Rules, since } from '../../src/forks/rules.ts'
import type { Tx } from '../../src/types/transaction.ts'
import { wordsIn } from './words.ts'

const base = 21_000n

function zerosIn(data: Uint8Array): bigint {
  return BigInt(data.filter((byte) => byte === 0).length)
}

/** What a transaction pays before it runs. */
export function intrinsicGasOf(tx: Tx, rules: Rules): bigint {
  const zeros = zerosIn(tx.data)
  const others = BigInt(tx.data.length) - zeros
  let gas = base + 4n * zeros + (since(rules, 'istanbul') ? 16n : 68n) * others
  if (tx.to === undefined) {
    if (since(rules, 'homestead')) gas += 32_000n
    if (since(rules, 'shanghai')) gas += 2n * wordsIn(BigInt(tx.data.length))
  }
  if (tx.type > 0) for (const { slots } of accessListIn(tx)) gas += 2400n + 1900n * BigInt(slots.length)
  if (tx.type === 4) gas += 25_000n * BigInt(tx.authorizations.length)
  return gas
}

/** The least that a transaction pays in the end, by the size of its data (EIP-7623). */
export function floorGasOf(tx: Tx, rules: Rules): bigint {
  if (!since(rules, 'prague')) return 0n
  const zeros = zerosIn(tx.data)
  const tokens = zeros + 4n * (BigInt(tx.data.length) - zeros)
  return base + 10n * tokens
}

export function blobGasOf(tx: Tx): bigint {
  return tx.type === 3 ? 131_072n * BigInt(tx.blobHashes.length) : 0n
}

export function accessListIn(tx: Tx) {
  return tx.type === 0 ? [] : tx.accessList
}
