import { isAuthorityEngine } from '../consensus/authorityEngine.ts'
import { BlockError } from '../execution/fault.ts'
import type { Address } from '../primitives/bytes.ts'
import type { NodeParts } from './openParts.ts'

/** Returns the validators of the next block; empty if they are unknown, or if the network has none. */
export function validatorsOf({ chain, consensus }: Pick<NodeParts, 'chain' | 'consensus'>): readonly Address[] {
  if (!isAuthorityEngine(consensus)) return []
  try {
    return chain.read((view) => consensus.validatorsAfter(view.head, view))
  } catch (error) {
    if (!(error instanceof BlockError)) throw error
    return []
  }
}
