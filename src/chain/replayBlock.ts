import type { Transaction } from '../store/table.ts'
import type { BlockWriter } from './blockWriter.ts'
import type { HeadEvent } from './events.ts'
import { ChainError } from './fault.ts'
import type { BlockImporter } from './importBlock.ts'
import { canonicalKey, requireBlock } from './records.ts'

/** What replaying a block takes of the chain. */
export interface ReplayParts {
  readonly unwindTo: BlockWriter['unwindTo']
  readonly importInto: BlockImporter
}

/** Unwinds the chain to the parent of a canonical block and imports that block again. */
export function replayBlock(txn: Transaction, number: bigint, { unwindTo, importInto }: ReplayParts): HeadEvent {
  const key = number === 0n ? undefined : canonicalKey(txn, number)
  if (!key) throw new ChainError({ code: 'BLOCK_NOT_FOUND', number })
  const block = requireBlock(txn, key)
  const removed = unwindTo(txn, key.number - 1).reverse()
  return { ...importInto(txn, block).event!, removed }
}
