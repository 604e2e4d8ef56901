import type { ChainSpec } from '../forks/chainSpec.ts'
import { initialBaseFee } from '../forks/genesisHeader.ts'
import type { Header } from '../types/header.ts'

const elasticity = 2n
const changeDenominator = 8n

/** The base fee that the block after `parent` must have (EIP-1559); the first block with a fee market starts afresh. */
export function nextBaseFee(
  parent: Header,
  { zeroBaseFee, fixedBaseFee }: Pick<ChainSpec, 'zeroBaseFee' | 'fixedBaseFee'>,
): bigint {
  if (zeroBaseFee) return 0n
  if (parent.baseFee === undefined) return initialBaseFee
  // Proposers set it; most likely the next one has the same minimum gas price as the last.
  if (fixedBaseFee) return parent.baseFee
  const target = parent.gasLimit / elasticity
  if (parent.gasUsed === target) return parent.baseFee
  const distance = parent.gasUsed > target ? parent.gasUsed - target : target - parent.gasUsed
  const change = (parent.baseFee * distance) / target / changeDenominator
  if (parent.gasUsed > target) return parent.baseFee + (change > 1n ? change : 1n)
  return parent.baseFee - change
}

/** Gas limit that counts as the parent's: doubled where the fee market begins. */
export function effectiveParentGasLimit(parent: Header, hasBaseFee: boolean): bigint {
  return hasBaseFee && parent.baseFee === undefined ? parent.gasLimit * elasticity : parent.gasLimit
}
