import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import type { Block } from '../types/block.ts'
import { recoverSenders } from './recoverSenders.ts'

/** Blocks that are imported together. */
export interface BlockBatch {
  readonly blocks: readonly Block[]
}

/**
 * Passes batches on once the senders of their transactions are recovered. While the caller imports one batch, other
 * threads recover the senders of the next.
 */
export async function* recoverAhead<B extends BlockBatch>(
  batches: AsyncIterable<B>,
  pool: RecoverPool,
  known?: (hash: Hash32) => Address | undefined,
): AsyncGenerator<B> {
  let ready: B | undefined
  for await (const batch of batches) {
    const recovered = recoverSenders(
      batch.blocks.flatMap(({ transactions }) => transactions),
      pool,
      known,
    )
    // The caller may end here: then nobody waits for the recovery, and its failure is nobody's.
    recovered.catch(() => {})
    if (ready) yield ready
    await recovered
    ready = batch
  }
  if (ready) yield ready
}
