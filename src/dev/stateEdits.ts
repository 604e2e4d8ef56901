import type { ChainSpec } from '../forks/chainSpec.ts'
import { type Hash32, keyOf } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { stateEdits } from '../store/chainTables.ts'
import type { Store } from '../store/store.ts'
import { type AccountEdit, decodeEdits, encodeEdits } from '../types/accountEdit.ts'

/**
 * The edits with which blocks of the development network begin. Such a block has the hash of its edits as its extra data, so
 * that anyone who runs it again, for a trace or after a restart, finds the same ones.
 */
export interface StateEdits {
  readonly editsOf: NonNullable<ChainSpec['editsOf']>
  /** Stores edits; returns the extra data of a block that begins with them. */
  add(edits: readonly AccountEdit[]): Hash32
}

const none: readonly AccountEdit[] = []

/** Opens the edits of a store. They are kept in memory, because blocks run inside of writes. */
export function openStateEdits(store: Pick<Store, 'read' | 'write'>): StateEdits {
  const known = new Map<string, readonly AccountEdit[]>()
  store.read((reader) => {
    for (const [hash, bytes] of reader.range(stateEdits, {})) known.set(keyOf(hash), decodeEdits(bytes))
  })
  return {
    editsOf: ({ extraData }) => (extraData.length === 32 && known.get(keyOf(extraData))) || none,
    add(edits) {
      const bytes = encodeEdits(edits)
      const hash = keccak256(bytes)
      store.write((txn) => txn.put(stateEdits, hash, bytes))
      known.set(keyOf(hash), edits)
      return hash
    },
  }
}

/** The edits of a store that another process writes: what is not known yet is looked up. */
export function readStateEdits(store: Pick<Store, 'read'>): Pick<StateEdits, 'editsOf'> {
  const known = new Map<string, readonly AccountEdit[]>()
  function lookUp(hash: Hash32): readonly AccountEdit[] | undefined {
    const bytes = store.read((reader) => reader.get(stateEdits, hash))
    if (bytes) known.set(keyOf(hash), decodeEdits(bytes))
    return known.get(keyOf(hash))
  }
  return {
    editsOf: ({ extraData }) =>
      (extraData.length === 32 && (known.get(keyOf(extraData)) ?? lookUp(extraData as Hash32))) || none,
  }
}
