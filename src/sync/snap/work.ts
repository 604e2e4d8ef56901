import type { SnapKind, SnapRequests, SnapResponses } from '../../net/snap/messages.ts'

/** A request that any peer can be sent which has the state. */
export interface WorkOf<K extends SnapKind> {
  readonly kind: K
  readonly request: SnapRequests[K]
  /** Takes the response; returns false if the peer does not have the state. Throws a Fault if it is a lie: nothing has been taken. */
  receive(response: SnapResponses[K]): boolean
  /** It was not answered: somebody else is to be asked. */
  giveBack(): void
}

export type Work = { readonly [K in SnapKind]: WorkOf<K> }[SnapKind]

/** What is left to download of one kind, of one state. */
export interface Phase {
  /** What to ask next; undefined if all is asked for. */
  next(): Work | undefined
  isDone(): boolean
  /** Another state is downloaded from now on: work that was taken before is neither received nor given back any more. */
  abandon(): void
}

/** Soft limit of responses in bytes. */
export const responseBytes = 512 << 10
