import type { ChainView, HashedBlock } from '../../chain/view.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { type Header, headerHash } from '../../types/header.ts'
import type { ShownBlock } from '../objects/block.ts'

/** Returns a block with everything that its JSON object contains; undefined if it is unknown. */
export function showBlock(chain: ChainView, hash: Hash32, full: boolean): ShownBlock | undefined {
  const hashed = chain.blockBy(hash)
  return hashed && showSealed(chain, hashed, full)
}

const shown = new WeakMap<HashedBlock, Map<boolean, ShownBlock>>()

/** Same for a block in memory; returns the same object each time, so that its JSON is cached. */
export function showSealed(chain: ChainView, hashed: HashedBlock, full: boolean): ShownBlock {
  let forms = shown.get(hashed)
  if (!forms) shown.set(hashed, (forms = new Map()))
  let form = forms.get(full)
  if (!form) {
    const totalDifficulty = chain.totalDifficulty(hashed.hash) ?? 0n
    form = { ...hashed, totalDifficulty, ommerHashes: hashed.block.ommers.map(headerHash), full }
    forms.set(full, form)
  }
  return form
}

/** An uncle as a block without body. */
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
