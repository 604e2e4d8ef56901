import type { ChainView, HashedHeader } from '../../chain/view.ts'
import type { BlockRef } from '../codecs/blockRef.ts'
import { RpcError } from '../protocol/fault.ts'
import { findHeader } from './resolveBlock.ts'

/** The canonical block of a question about private state; undefined if there is none. Besu has neither safe nor finalized here. */
export function findPrivateBlock(chain: ChainView, ref: BlockRef): HashedHeader | undefined {
  if ('hash' in ref) return chain.isCanonical(ref.hash) ? chain.headerBy(ref.hash) : undefined
  if ('tag' in ref && (ref.tag === 'safe' || ref.tag === 'finalized')) throw new RpcError({ code: 'UNKNOWN_BLOCK' })
  return findHeader(chain, ref)
}
