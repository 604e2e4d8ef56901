import type { Header } from '../types/header.ts'
import type { AuthorityEngine } from './authorityEngine.ts'

/** One engine up to a block, another from there on. Each judges the blocks that it made. */
export function createMigratingEngine(
  first: AuthorityEngine,
  second: AuthorityEngine,
  startBlock: bigint,
): AuthorityEngine {
  const engineOf = ({ number }: Pick<Header, 'number'>) => (number < startBlock ? first : second)
  /** Who comes after a block is the business of the engine that makes the next one. */
  const engineAfter = ({ number }: Header) => engineOf({ number: number + 1n })
  return {
    hash: (header) => engineOf(header).hash(header),
    validateHeader: (header, parent, chain) => engineOf(header).validateHeader(header, parent, chain),
    validateProposal(header, parent, chain) {
      const consensus = engineOf(header)
      return (consensus.validateProposal ?? consensus.validateHeader)(header, parent, chain)
    },
    beneficiary: (header) => engineOf(header).beneficiary(header),
    reward: (header) => engineOf(header).reward(header),
    isBetter(candidate, head, chain) {
      const consensus = engineOf(candidate.header)
      // A block of the second engine is final: no branch of the first, however heavy, stands against it.
      if (consensus !== engineOf(head.header)) return consensus === second
      return consensus.isBetter(candidate, head, chain)
    },
    signerOf: (header) => engineOf(header).signerOf(header),
    validatorsAfter: (block, chain) => engineAfter(block.header).validatorsAfter(block, chain),
    tallyAfter: (block, chain) => engineAfter(block.header).tallyAfter(block, chain),
  }
}
