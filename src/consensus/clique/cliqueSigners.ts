import { type Address, type Hash32, keyOf, zeroAddress } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import { type Header, headerHash } from '../../types/header.ts'
import { withBlockError } from '../fault.ts'
import { recoverSeal } from '../recoverSeal.ts'
import { decodeCliqueExtraData } from './extraData.ts'
import { cliqueSealHash } from './sealHash.ts'

export interface CliqueSigners {
  /** Returns who sealed a block; the zero address for block 0. */
  of(header: Header, hash?: Hash32): Address
}

const remembered = 4096

/** Recovers signers from seals and caches them, because header checks need those of the last blocks each time. */
export function createCliqueSigners(recover = recoverSeal): CliqueSigners {
  const known = createRecentMap<string, Address>(remembered)
  return {
    of(header, hash = headerHash(header)) {
      if (header.number === 0n) return zeroAddress
      let signer = known.use(keyOf(hash))
      if (!signer) {
        const { seal } = withBlockError(() => decodeCliqueExtraData(header.extraData))
        signer = recover(cliqueSealHash(header), seal)
        known.set(keyOf(hash), signer)
      }
      return signer
    },
  }
}
