import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import type { Header } from '../../types/header.ts'
import { majorityOf } from '../voting/tally.ts'

/**
 * The number of the latest block up to a head, and after a number, that a signer has made on a parent of which its record knows nothing; undefined
 * if there is none. Twice as many blocks are looked at as make a turn.
 */
export function findForeignBlock(
  head: HashedHeader,
  { after, signer, signers }: { readonly after: bigint; readonly signer: Address; readonly signers: number },
  chain: Pick<ChainView, 'parentOf'>,
  signerOf: (header: Header) => Address,
  knows: (parent: Hash32) => boolean,
): bigint | undefined {
  let at: HashedHeader | undefined = head
  for (let left = 2 * signers + majorityOf(signers); at && left > 0 && at.header.number > after; left--) {
    const { header } = at
    // Block 0 has no signer.
    if (header.number === 0n) return undefined
    if (equalBytes(signerOf(header), signer) && !knows(header.parentHash)) return header.number
    at = chain.parentOf(header)
  }
  return undefined
}
