import type { ChainView, HashedBlock } from '../../chain/view.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { type Header, headerHash } from '../../types/header.ts'
import type { ShownBlock } from '../objects/block.ts'

/** A known block with all that its object shows. */
export function showBlock(chain: ChainView, hash: Hash32, full: boolean): ShownBlock | undefined {
  const hashed = chain.blockBy(hash)
  return hashed && showSealed(chain, hashed, full)
}

const shown = new WeakMap<HashedBlock, Map<boolean, ShownBlock>>()

/** A block that is at hand; the same object each time, so that its text is made once. */
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
