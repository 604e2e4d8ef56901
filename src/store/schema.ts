import { chainTables } from './chainTables.ts'
import { bytesCodec, hashCodec, textCodec } from './codec.ts'
import { type AnyTable, type Table, table } from './table.ts'

/** Raised whenever stored bytes can have another meaning than before. A node refuses a directory of a higher number. */
export const schemaVersion = 4

/** The lowest number whose bytes still mean the same. From 3 on, headers may leave out usual values; from 4 on, empty bodies may be missing. */
export const oldestSchema = 2

export const meta = table(
  'meta',
  textCodec,
  bytesCodec,
  'Facts about the directory: schema, owner, where the state is, digest of the accounts and chain id that the chain began with, when it was restored.',
)

export const signed = table(
  'signed',
  bytesCodec,
  bytesCodec,
  'address ‖ engine → what that validator signed last: nothing that contradicts it may be signed.',
)

export const code = table('code', hashCodec, bytesCodec, 'Contract code by its hash; shared by every state.')

/** The tables of one temporal state. `state/row.ts` and `state/packedHistory.ts` describe their rows byte by byte. */
export interface StateTables {
  readonly accounts: Table<Uint8Array, Uint8Array>
  readonly accountHistory: Table<Uint8Array, Uint8Array>
  readonly accountChunks: Table<Uint8Array, Uint8Array>
  readonly slots: Table<Uint8Array, Uint8Array>
  readonly slotHistory: Table<Uint8Array, Uint8Array>
  readonly slotChunks: Table<Uint8Array, Uint8Array>
  readonly branches: Table<Uint8Array, Uint8Array>
  readonly branchHistory: Table<Uint8Array, Uint8Array>
  readonly branchChunks: Table<Uint8Array, Uint8Array>
  readonly roots: Table<Uint8Array, Uint8Array>
  readonly floor: Table<Uint8Array, Uint8Array>
}

function stateTables(set: 'public' | 'public2' | 'private'): StateTables {
  const bytes = (name: string, doc: string) => table(`${set}.${name}`, bytesCodec, bytesCodec, doc)
  return {
    accounts: bytes('accounts', 'address hash → account now, address, blocks that changed it.'),
    accountHistory: bytes('accountHistory', 'block ‖ address hash → account before that block.'),
    accountChunks: bytes('accountChunks', 'address hash ‖ last block → older blocks that changed the account.'),
    slots: bytes('slots', 'address hash ‖ slot hash → value now, slot, blocks that changed it.'),
    slotHistory: bytes('slotHistory', 'block ‖ address hash ‖ slot hash → value before that block.'),
    slotChunks: bytes('slotChunks', 'address hash ‖ slot hash ‖ last block → older blocks that changed the slot.'),
    branches: bytes('branches', 'trie ‖ path → branch node now, blocks that changed it.'),
    branchHistory: bytes('branchHistory', 'block ‖ first trie ‖ path → what many branch nodes were before that block.'),
    branchChunks: bytes('branchChunks', 'trie ‖ path ‖ last block → older blocks that changed the branch node.'),
    roots: bytes('roots', 'block → state root after that block.'),
    floor: bytes('floor', 'state → lowest block that can still be read.'),
  }
}

/** The chain's own state. */
export const publicState = stateTables('public')

/** The same, where it was rebuilt: it lies in the one or in the other. */
export const publicState2 = stateTables('public2')

/** States of privacy groups; every key starts with the group. */
export const privateState = stateTables('private')

export const privateReceipts = table(
  'private.receipts',
  bytesCodec,
  bytesCodec,
  'group ‖ number ‖ block hash ‖ index of the marker → result of a private transaction.',
)

export const privateGroups = table(
  'private.groups',
  bytesCodec,
  bytesCodec,
  'Group with private state → 1 if transactions name its members, 2 if they name the group.',
)

export const privatePayloads = table(
  'private.payloads',
  bytesCodec,
  bytesCodec,
  'group ‖ number ‖ block hash ‖ index of the marker → payload: what a group executes, in order.',
)

export const privateMissing = table(
  'private.missing',
  bytesCodec,
  bytesCodec,
  'payload key ‖ number ‖ block hash ‖ index of the marker → nothing: markers whose payload the manager did not have.',
)

export const privateExhausted = table(
  'private.exhausted',
  bytesCodec,
  bytesCodec,
  'hash of group and transaction ‖ number ‖ block hash ‖ index of the marker → nothing: did not end within its work, and is not run again.',
)

export const privateCursor = table(
  'private.cursor',
  textCodec,
  bytesCodec,
  'executed → number and hash of the last block whose payloads were asked for; group in base64 → the last that it executed, if lower.',
)

/** Every table there is. */
export const allTables: readonly AnyTable[] = [
  meta,
  signed,
  code,
  ...chainTables,
  ...Object.values(publicState),
  ...Object.values(publicState2),
  ...Object.values(privateState),
  privateReceipts,
  privateGroups,
  privatePayloads,
  privateMissing,
  privateExhausted,
  privateCursor,
]
