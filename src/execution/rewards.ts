import type { Engine } from '../evm/engine.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Block } from '../types/block.ts'

const gwei = 1_000_000_000n

/** Pays who is to have the reward of a block, and the producers of its ommers. */
export function payRewards(engine: Engine, { header, ommers }: Block, beneficiary: Address, reward: bigint): void {
  let own = reward
  for (const ommer of ommers) {
    own += reward / 32n
    engine.addBalance(ommer.beneficiary, (reward * (8n + ommer.number - header.number)) / 8n)
  }
  engine.addBalance(beneficiary, own)
}

/** Pays the withdrawals that the consensus layer ordered. */
export function payWithdrawals(engine: Engine, { withdrawals }: Block): void {
  for (const { address, amount } of withdrawals ?? []) engine.addBalance(address, amount * gwei)
}
