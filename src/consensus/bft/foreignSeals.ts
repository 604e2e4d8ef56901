import type { Chain } from '../../chain/chain.ts'
import type { HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes } from '../../primitives/bytes.ts'
import type { Header } from '../../types/header.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import { recoverSigner } from '../recoverSeal.ts'
import { bftCommitHash } from './bftHash.ts'
import type { BftCodec } from './extraData.ts'
import type { FindForeign } from './machine.ts'

export interface ForeignSealParts {
  readonly address: Address
  readonly codec: BftCodec
  /** The first height that this codec is for. */
  readonly from: bigint
  /** Whether this process has built a block. */
  readonly hasBuilt: (header: Header) => boolean
  readonly chain: Pick<Chain, 'read'>
  readonly consensus: Pick<AuthorityEngine, 'validatorsAfter'>
}

/** Blocks that are looked at: in this many each validator has proposed twice. */
const depthOf = (validators: number) => Math.min(2 * validators + 4, 64)

/** Looks for blocks that the key of this validator has proposed or sealed, and of which its record and this process know nothing. */
export function createForeignSeals(parts: ForeignSealParts): FindForeign {
  const { address, codec, from, hasBuilt, chain, consensus } = parts
  const isMine = (who: Address | undefined) => who !== undefined && equalBytes(who, address)

  function isSealedByMe(header: Header): boolean {
    if (isMine(header.beneficiary)) return true
    const data = codec.decode(header.extraData)
    const digest = bftCommitHash(codec, header, data)
    return data.seals.some((seal) => isMine(recoverSigner(digest, seal)))
  }

  return (head, signed, restored) => {
    const { header } = head
    if (header.number > restored && header.number >= from && isMine(header.beneficiary) && !hasBuilt(header))
      return header.number
    if (header.number <= signed) return undefined
    return chain.read((view) => {
      let at: HashedHeader | undefined = head
      for (let left = depthOf(consensus.validatorsAfter(head, view).length); at && left > 0; left--) {
        const { number } = at.header
        if (number <= signed || number < from) return undefined
        if (isSealedByMe(at.header)) return number
        at = view.parentOf(at.header)
      }
      return undefined
    })
  }
}
