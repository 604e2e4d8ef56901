import type { BftCodec } from '../bft/extraData.ts'
import { decodeCliqueExtraData } from './extraData.ts'

/** Clique's last block as the BFT engine that follows reads it: Clique itself has counted its vote already. */
export const cliqueCodec: Pick<BftCodec, 'decode'> = {
  decode(bytes) {
    const { vanity, signers, seal } = decodeCliqueExtraData(bytes)
    return { vanity, validators: signers, vote: undefined, round: 0, seals: [seal] }
  },
}
