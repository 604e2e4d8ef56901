import type { ConsensusEngine } from '../../../src/chain/engine.ts'
import type { ChainSpec } from '../../../src/forks/chainSpec.ts'
import { emptyBytes } from '../../../src/primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpList } from '../../../src/primitives/rlp.ts'
import { type Header, headerHash } from '../../../src/types/header.ts'

/** A QBFT block is known by the hash of its header with round 0 and no seals; the first block by its own. */
function qbftHash(header: Header) {
  if (header.number === 0n) return headerHash(header)
  const [vanity, validators, vote] = rlpList(decodeRlp(header.extraData), 5)
  return headerHash({ ...header, extraData: encodeRlp([vanity!, validators!, vote!, emptyBytes, []]) })
}

/** As much of QBFT as it takes to read a chain whose blocks were agreed on elsewhere. */
export function createFrozenQbft(spec: ChainSpec): ConsensusEngine {
  const { consensus } = spec
  return {
    hash: qbftHash,
    validateHeader: (header) => spec.rulesAt(header),
    beneficiary: () => undefined,
    reward: () => (consensus.kind === 'qbft' ? consensus.blockReward : undefined),
    isBetter: (candidate, head) => candidate.header.number > head.header.number,
  }
}
