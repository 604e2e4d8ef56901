import { keyOf } from '../primitives/bytes.ts'
import { createRecentSet } from '../primitives/recentSet.ts'

/** Nodes that this node never connects to or accepts. */
export interface Denylist {
  isBanned(id: Uint8Array): boolean
  isMisbehaved(id: Uint8Array): boolean
  /** Bans a node that misbehaved, until the list is full and newer entries replace it. */
  add(id: Uint8Array): void
}

const maxMisbehaved = 500

/** A list in which `banned` nodes stay permanently. */
export function createDenylist(banned: readonly Uint8Array[]): Denylist {
  const forGood = new Set(banned.map(keyOf))
  const misbehaved = createRecentSet<string>(maxMisbehaved)
  return {
    isBanned: (id) => forGood.has(keyOf(id)),
    isMisbehaved: (id) => misbehaved.has(keyOf(id)),
    add: (id) => misbehaved.add(keyOf(id)),
  }
}
