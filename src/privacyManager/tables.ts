import { bytesCodec } from '../store/codec.ts'
import { table } from '../store/table.ts'

const bytes = (name: string, doc: string) => table(name, bytesCodec, bytesCodec, doc)

/** Tables of a private transaction manager, which has a store of its own. */
export const managerTables = {
  payloads: bytes('payloads', 'hash of the cipher text → sealed payload, with the boxes that this manager has.'),
  groups: bytes('groups', 'group id → group, also if it was deleted.'),
  groupsOfMembers: bytes('groupsOfMembers', 'LEGACY id of the members ‖ number → group id, in the order of creation.'),
  usage: bytes('usage', 'public key of a sender → whether it was proven ‖ number ‖ bytes of what it has stored here.'),
  undelivered: bytes('undelivered', 'member ‖ group id → deleted group that this member does not know of yet.'),
} as const
