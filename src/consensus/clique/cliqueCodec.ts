import type { BftExtraDataReader } from '../bft/extraData.ts'
import { decodeCliqueExtraData } from './extraData.ts'

/** Reads Clique's last block for the BFT engine that follows: no vote, because Clique has counted it already. */
export const cliqueCodec: BftExtraDataReader = {
  decode(bytes) {
    const { vanity, signers, seal } = decodeCliqueExtraData(bytes)
    return { vanity, validators: signers, vote: undefined, round: 0, seals: [seal] }
  },
  hasVote: () => false,
}
