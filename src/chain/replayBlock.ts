import type { Transaction } from '../store/table.ts'
import type { HeadEvent } from './chain.ts'
import { ChainError } from './fault.ts'
import { canonicalKey, readBody, requireHeader } from './records.ts'
import type { HashedBlock } from './view.ts'

/** What replaying takes of the chain. */
export interface ReplayParts {
  /** Takes canonical blocks off until `number` is the head; gives them newest first. */
  unwindTo(txn: Transaction, number: number): HashedBlock[]
  importInto(txn: Transaction, block: HashedBlock): { readonly event: HeadEvent | undefined }
}

/** Takes the chain back to before a canonical block and imports that block again. */
export function replayBlock(txn: Transaction, number: bigint, { unwindTo, importInto }: ReplayParts): HeadEvent {
  const key = number === 0n ? undefined : canonicalKey(txn, number)
  if (!key) throw new ChainError({ code: 'BLOCK_NOT_FOUND', number })
  const { header, hash } = requireHeader(txn, key)
  const sealed = { header, hash, block: { header, ...readBody(txn, key)! } }
  const removed = unwindTo(txn, key.number - 1).reverse()
  return { ...importInto(txn, sealed).event!, removed }
}
