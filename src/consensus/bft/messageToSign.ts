import type { ToSign } from '../../keys/nodeIdentity.ts'
import { bftCommitContent } from './bftHash.ts'
import type { AcceptedProposal } from './bftRound.ts'
import type { BftProtocol } from './protocol.ts'

/** A payload, to be signed by its author. */
export function messageToSign(protocol: BftProtocol, code: number, payload: Uint8Array): ToSign {
  return {
    kind: protocol.name,
    digest: protocol.signingDigest(code, payload),
    content: () => protocol.signingContent(code, payload),
  }
}

/** The block of a round, to be sealed. */
export function sealToSign({ name, codec }: BftProtocol, round: number, { block, sealHash }: AcceptedProposal): ToSign {
  return {
    kind: `${name}-seal`,
    digest: sealHash,
    content: () => bftCommitContent(codec, block.block.header, { ...block.data, round }),
  }
}
