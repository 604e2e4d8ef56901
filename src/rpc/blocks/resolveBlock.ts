import type { ChainView, HashedHeader } from '../../chain/view.ts'
import type { BlockNumberRef, BlockRef } from '../codecs/blockRef.ts'
import { RpcError } from '../protocol/fault.ts'

/** The number that a reference stands for, which may lie beyond the head. */
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
      // What is pending is not executed: it shows as the head.
      return chain.head.header.number
  }
}

/** The canonical header that a number or tag stands for. */
export function findHeader(chain: ChainView, ref: BlockNumberRef): HashedHeader | undefined {
  if ('tag' in ref && (ref.tag === 'latest' || ref.tag === 'pending')) return chain.head
  return chain.headerAt(numberOf(chain, ref))
}

/** The header that a reference stands for; one that is not there is an error. */
export function requireHeader(chain: ChainView, ref: BlockRef): HashedHeader {
  const found = 'hash' in ref ? chain.headerBy(ref.hash) : findHeader(chain, ref)
  if (!found) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
  if ('hash' in ref && ref.requireCanonical && !chain.isCanonical(ref.hash))
    throw new RpcError({ code: 'NOT_CANONICAL' })
  return found
}

/** The number that a reference stands for; a safe or finalized block that is not known counts as the head. */
export function headIfUnknown(chain: ChainView, ref: BlockNumberRef): bigint {
  if ('tag' in ref && (ref.tag === 'safe' || ref.tag === 'finalized') && !chain[ref.tag])
    return chain.head.header.number
  return numberOf(chain, ref)
}
