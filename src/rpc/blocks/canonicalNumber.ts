import type { ChainView } from '../../chain/view.ts'
import type { BlockNumberRef } from '../codecs/blockRef.ts'
import { RpcError } from '../protocol/fault.ts'
import { findHeader } from './resolveBlock.ts'

/** Returns the number of the canonical block; throws UNKNOWN_BLOCK if there is none. */
export function canonicalNumber(chain: ChainView, ref: BlockNumberRef): bigint {
  const found = findHeader(chain, ref)
  if (!found) throw new RpcError({ code: 'UNKNOWN_BLOCK' })
  return found.header.number
}
