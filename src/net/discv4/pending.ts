import type { Enode } from '../enode.ts'
import type { NodeRecord } from '../enr.ts'

/** What is known of a node at an endpoint. */
export interface Bond {
  /** When the node last answered a ping, and when it last sent one. */
  readonly answered: number
  readonly asked: number
  /** Last known sequence number of the node's record; 0 if it has none (EIP-868). */
  readonly seq: bigint
  /** Port for connections; permission depends on it. */
  readonly tcpPort: number
}

export interface Pending {
  readonly id: Uint8Array
  end(): void
}

export interface PendingPing extends Pending {
  readonly promise: Promise<boolean>
  readonly enode: Enode
  succeed(): void
}

export interface PendingNodes extends Pending {
  take(nodes: readonly Enode[]): void
}

export interface PendingRecord extends Pending {
  take(record: NodeRecord): void
}
