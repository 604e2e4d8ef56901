import type { MessagePort } from 'node:worker_threads'
import type { ChainFault } from '../../chain/fault.ts'
import type { BlockFault } from '../../execution/fault.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import type { StoreFault } from '../../store/fault.ts'
import type { Owner } from '../../store/owner.ts'
import type { CatchUpSettings } from './catchUpSettings.ts'
import type { Handshake } from './handshake.ts'

/** What the thread is started with; plain values. */
export interface CatchUpStart extends CatchUpSettings {
  readonly owner: Owner
  readonly port: MessagePort
  readonly handshake: Handshake
}

export const senderSize = 20

/** Blocks to import, as RLP, with the senders of their transactions: `senderSize` bytes each, zeros if there is none. */
export interface BlocksOrder {
  readonly kind: 'blocks'
  readonly blocks: readonly Uint8Array[]
  readonly senders: Uint8Array
}

/** `look` says that there is a request, `end` that nothing follows. */
export type CatchUpOrder = BlocksOrder | { readonly kind: 'look' } | { readonly kind: 'end' }

/** A change of the head by the hashes of its blocks. */
export interface HeadChange {
  readonly head: Hash32
  readonly added: readonly Hash32[]
  readonly removed: readonly Hash32[]
}

/** What the thread posts. Each order of blocks is answered with `made` or `failed`; what a change reports is on disk. */
export type CatchUpMessage =
  | { readonly kind: 'ready' | 'made' }
  | { readonly kind: 'warning'; readonly fields: object; readonly text: string }
  | { readonly kind: 'head'; readonly change: HeadChange }
  | { readonly kind: 'failed'; readonly failure: CatchUpFailure }

/** Why blocks were not imported: those before the one that is named are on disk. */
export type CatchUpFailure =
  | { readonly kind: 'block'; readonly fault: BlockFault; readonly hash: Hash32 | undefined }
  | { readonly kind: 'store'; readonly fault: StoreFault }
  | { readonly kind: 'chain'; readonly fault: ChainFault }
  | { readonly kind: 'bug'; readonly message: string }
