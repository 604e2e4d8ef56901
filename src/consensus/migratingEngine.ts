import type { Header } from '../types/header.ts'
import type { AuthorityEngine } from './authorityEngine.ts'

/** Uses one engine up to a block and another from there on. */
export function createMigratingEngine(
  first: AuthorityEngine,
  second: AuthorityEngine,
  startBlock: bigint,
): AuthorityEngine {
  const engineOf = ({ number }: Pick<Header, 'number'>) => (number < startBlock ? first : second)
  /** The engine of the next block decides who its validators are. */
  const engineAfter = ({ number }: Header) => engineOf({ number: number + 1n })
  return {
    hash: (header) => engineOf(header).hash(header),
    canonical: (header) => engineOf(header).canonical?.(header) ?? header,
    validateHeader: (header, parent, chain) => engineOf(header).validateHeader(header, parent, chain),
    validateProposal(header, parent, chain) {
      const consensus = engineOf(header)
      return (consensus.validateProposal ?? consensus.validateHeader)(header, parent, chain)
    },
    validateUnsealed(header, parent, chain) {
      const consensus = engineOf(header)
      return (consensus.validateUnsealed ?? consensus.validateHeader)(header, parent, chain)
    },
    commitSealsOf: (header) => engineOf(header).commitSealsOf?.(header),
    sealSize: (parent, chain) => engineAfter(parent.header).sealSize?.(parent, chain) ?? 0,
    beneficiary: (header) => engineOf(header).beneficiary(header),
    reward: (header) => engineOf(header).reward(header),
    isBetter(candidate, head, chain) {
      const consensus = engineOf(candidate.header)
      // Blocks of the second engine are final: no branch of the first replaces them, however heavy.
      if (consensus !== engineOf(head.header)) return consensus === second
      return consensus.isBetter(candidate, head, chain)
    },
    isFinal: (header) => engineOf(header).isFinal?.(header) ?? false,
    recordAfter: (block, chain) => engineAfter(block.header).recordAfter?.(block, chain),
    signerOf: (header) => engineOf(header).signerOf(header),
    validatorsAfter: (block, chain) => engineAfter(block.header).validatorsAfter(block, chain),
    tallyAfter: (block, chain) => engineAfter(block.header).tallyAfter(block, chain),
  }
}
