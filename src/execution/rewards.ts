import type { Evm } from '../evm/evm.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Block } from '../types/block.ts'

const gwei = 1_000_000_000n

/** Pays who is to have the reward of a block, and the producers of its ommers. */
export function payRewards(evm: Evm, { header, ommers }: Block, beneficiary: Address, reward: bigint): void {
  let own = reward
  for (const ommer of ommers) {
    own += reward / 32n
    evm.addBalance(ommer.beneficiary, (reward * (8n + ommer.number - header.number)) / 8n)
  }
  evm.addBalance(beneficiary, own)
}

/** Pays the withdrawals that the consensus layer ordered. */
export function payWithdrawals(evm: Evm, { withdrawals }: Block): void {
  for (const { address, amount } of withdrawals ?? []) evm.addBalance(address, amount * gwei)
}
