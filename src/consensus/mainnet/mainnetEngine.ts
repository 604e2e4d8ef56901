import type { Candidate, ConsensusEngine } from '../../chain/engine.ts'
import { checkMerge } from '../../execution/checkMerge.ts'
import { type HeaderOptions, validateHeader } from '../../execution/validateHeader.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import { type Header, headerHash } from '../../types/header.ts'

export interface MainnetEngineOptions {
  readonly spec: ChainSpec
  /** Checks a header's proof of work and throws a BlockError; absent if it is not checked. */
  readonly checkWork?: (header: Header) => void
  readonly headerOptions?: HeaderOptions
}

/** Whether a branch has a higher total difficulty, or, after the merge, is longer. */
export function isHeavier(candidate: Candidate, head: Candidate): boolean {
  return (
    candidate.totalDifficulty > head.totalDifficulty ||
    (candidate.totalDifficulty === head.totalDifficulty && candidate.header.number > head.header.number)
  )
}

/** Rules of Ethereum mainnet: the heaviest chain up to the merge, the latest valid block afterwards. */
export function createMainnetEngine({ spec, checkWork, headerOptions }: MainnetEngineOptions): ConsensusEngine {
  function check(header: Header, parent: Header) {
    const rules = validateHeader(header, parent, spec, headerOptions)
    if (!rules.proofOfStake) checkWork?.(header)
    return rules
  }

  return {
    hash: headerHash,
    validateHeader(header, parent, chain) {
      checkMerge(header, chain.totalDifficulty(parent.hash) ?? 0n, spec)
      return check(header, parent.header)
    },
    validateOmmer: check,
    beneficiary: () => undefined,
    reward: () => undefined,
    isBetter: isHeavier,
  }
}
