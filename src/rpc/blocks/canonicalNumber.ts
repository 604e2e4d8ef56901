import type { ChainView } from '../../chain/view.ts'
import type { BlockNumberRef } from '../codecs/blockRef.ts'
import { RpcError } from '../protocol/fault.ts'
import { findHeader } from './resolveBlock.ts'

/** Number of the canonical block that is meant; one that is not there is unknown. */
export function canonicalNumber(chain: ChainView, ref: BlockNumberRef): bigint {
  const found = findHeader(chain, ref)
  if (!found) throw new RpcError({ code: 'UNKNOWN_BLOCK' })
  return found.header.number
}
