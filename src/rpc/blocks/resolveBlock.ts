import type { ChainView, HashedHeader } from '../../chain/view.ts'
import type { BlockNumberRef, BlockRef } from '../codecs/blockRef.ts'
import { RpcError } from '../protocol/fault.ts'

/** Returns the number of a block number or tag; it may be beyond the head. */
export function numberOf(chain: ChainView, ref: BlockNumberRef): bigint {
  if ('number' in ref) return ref.number
  switch (ref.tag) {
    case 'earliest':
      return 0n
    case 'safe':
    case 'finalized': {
      const known = chain[ref.tag]
      if (!known) throw new RpcError({ code: 'UNKNOWN_BLOCK' })
      return known.header.number
    }
    default:
      // There is no pending block: the head is used instead.
      return chain.head.header.number
  }
}

/** Returns the canonical header of a number or tag; undefined if there is none. */
export function findHeader(chain: ChainView, ref: BlockNumberRef): HashedHeader | undefined {
  if ('tag' in ref && (ref.tag === 'latest' || ref.tag === 'pending')) return chain.head
  return chain.headerAt(numberOf(chain, ref))
}

/** Returns the header of a block reference; throws if there is none. */
export function requireHeader(chain: ChainView, ref: BlockRef): HashedHeader {
  const found = 'hash' in ref ? chain.headerBy(ref.hash) : findHeader(chain, ref)
  if (!found) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
  if ('hash' in ref && ref.requireCanonical && !chain.isCanonical(ref.hash))
    throw new RpcError({ code: 'NOT_CANONICAL' })
  return found
}

/** Returns the number of a block number or tag; an unknown safe or finalized block is replaced by the head. */
export function headIfUnknown(chain: ChainView, ref: BlockNumberRef): bigint {
  if ('tag' in ref && (ref.tag === 'safe' || ref.tag === 'finalized') && !chain[ref.tag])
    return chain.head.header.number
  return numberOf(chain, ref)
}
