import type { Rules } from '../../src/forks/rules.ts'
import { since } from '../../src/forks/rules.ts'
import { maxU64 } from '../../src/primitives/u256.ts'
import type { Tx } from '../../src/types/transaction.ts'
import { delegateOf } from './delegation.ts'
import type { OracleBlock } from './machine.ts'
import { feesOf } from './txFees.ts'
import { blobGasOf, floorGasOf, intrinsicGasOf } from './txGas.ts'
import type { World } from './world.ts'

/** Why the transaction may not be in the block, or undefined when it may. */
export function checkTx(tx: Tx, sender: bigint, world: World, block: OracleBlock, rules: Rules): string | undefined {
  return checkForm(tx, rules) ?? checkFees(tx, block) ?? checkSender(tx, sender, world) ?? checkGas(tx, block, rules)
}

function checkForm(tx: Tx, rules: Rules): string | undefined {
  const firstFork = ['frontier', 'berlin', 'london', 'cancun', 'prague'] as const
  if (!since(rules, firstFork[tx.type])) return 'type not known yet'
  if (tx.type === 3) {
    if (tx.to === undefined) return 'blobs cannot create'
    if (tx.blobHashes.length === 0) return 'no blobs'
    if (tx.blobHashes.some((hash) => hash[0] !== 1)) return 'unknown blob version'
    const most = since(rules, 'osaka') ? 6 : since(rules, 'prague') ? 9 : 6
    if (tx.blobHashes.length > most) return 'too many blobs'
  }
  if (tx.type === 4) {
    if (tx.to === undefined) return 'set-code cannot create'
    if (tx.authorizations.length === 0) return 'no authorizations'
  }
  if (since(rules, 'shanghai') && tx.to === undefined && tx.data.length > 2 * rules.maxCodeSize)
    return 'init code too large'
  return undefined
}

function checkFees(tx: Tx, block: OracleBlock): string | undefined {
  const { maxFee, maxPriorityFee } = feesOf(tx)
  if (maxPriorityFee > maxFee) return 'priority fee above maximum'
  if (maxFee < block.baseFee) return 'base fee not met'
  if (tx.type === 3 && tx.maxBlobFee < block.blobBaseFee) return 'blob base fee not met'
  return undefined
}

function checkSender(tx: Tx, sender: bigint, world: World): string | undefined {
  const code = world.code(sender)
  if (code.length > 0 && delegateOf(code) === undefined) return 'sender is a contract'
  if (tx.nonce !== world.nonce(sender)) return 'wrong nonce'
  if (tx.nonce >= maxU64) return 'nonce at its end'
  const blobs = tx.type === 3 ? blobGasOf(tx) * tx.maxBlobFee : 0n
  if (world.balance(sender) < tx.gasLimit * feesOf(tx).maxFee + tx.value + blobs) return 'cannot pay'
  return undefined
}

function checkGas(tx: Tx, block: OracleBlock, rules: Rules): string | undefined {
  if (tx.gasLimit > block.gasLimit) return 'more gas than the block has'
  if (since(rules, 'osaka') && tx.gasLimit > 1n << 24n) return 'more gas than a transaction may have'
  if (tx.gasLimit < intrinsicGasOf(tx, rules)) return 'intrinsic gas'
  if (tx.gasLimit < floorGasOf(tx, rules)) return 'floor gas'
  return undefined
}
