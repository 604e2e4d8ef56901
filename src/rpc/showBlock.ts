import type { ChainView } from '../chain/view.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { type Header, headerHash } from '../types/header.ts'
import type { ShownBlock } from './objects/block.ts'

/** A known block with all that its object shows. */
export function showBlock(chain: ChainView, hash: Hash32, full: boolean): ShownBlock | undefined {
  const sealed = chain.blockBy(hash)
  if (!sealed) return undefined
  const totalDifficulty = chain.totalDifficulty(hash) ?? 0n
  return { ...sealed, totalDifficulty, ommerHashes: sealed.block.ommers.map(headerHash), full }
}

/** An ommer: a block of which only the header is known. */
export function showOmmer(header: Header): ShownBlock {
  const withdrawals = header.withdrawalsRoot ? [] : undefined
  return {
    header,
    hash: headerHash(header),
    block: { header, transactions: [], ommers: [], withdrawals },
    totalDifficulty: 0n,
    ommerHashes: [],
    full: false,
  }
}
