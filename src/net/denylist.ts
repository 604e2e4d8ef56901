import { keyOf } from '../primitives/bytes.ts'
import { createRecentSet } from '../primitives/recentSet.ts'

/** Nodes that are neither called nor let in. */
export interface Denylist {
  isBanned(id: Uint8Array): boolean
  isMisbehaved(id: Uint8Array): boolean
  /** Shuts out a node that misbehaved, until others push it out. */
  add(id: Uint8Array): void
}

const maxMisbehaved = 500

/** A list that holds `banned` for good. */
export function createDenylist(banned: readonly Uint8Array[]): Denylist {
  const forGood = new Set(banned.map(keyOf))
  const misbehaved = createRecentSet<string>(maxMisbehaved)
  return {
    isBanned: (id) => forGood.has(keyOf(id)),
    isMisbehaved: (id) => misbehaved.has(keyOf(id)),
    add: (id) => misbehaved.add(keyOf(id)),
  }
}
