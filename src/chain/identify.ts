import type { Header } from '../types/header.ts'
import type { ConsensusEngine } from './engine.ts'
import type { HashedHeader } from './view.ts'

/** A header from outside in the form in which this network stores and sends it, with its hash; throws a BlockError. */
export function identify(
  { hash, canonical }: Pick<ConsensusEngine, 'hash' | 'canonical'>,
  header: Header,
): HashedHeader {
  const kept = canonical?.(header) ?? header
  return { header: kept, hash: hash(kept) }
}
