import type { HashedBlock, HashedHeader } from './view.ts'

/** Sent after a commit: the new head, and the blocks that joined and left the canonical chain, oldest first. */
export interface HeadEvent {
  readonly head: HashedHeader
  readonly added: readonly HashedBlock[]
  readonly removed: readonly HashedBlock[]
}
