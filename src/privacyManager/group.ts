import { concatBytes, emptyBytes } from '../primitives/bytes.ts'
import { toBase64 } from '../privacy/enclave/base64.ts'
import type { PrivacyGroup } from '../privacy/enclave/enclave.ts'
import { groupIdOf } from '../privacy/enclave/groupId.ts'
import { createFieldReader, field, listField, textField } from './byteFields.ts'
import { refusals } from './fault.ts'
import { keyLength } from './payload.ts'

/** A group as a manager stores it; keys are raw. */
export interface Group {
  readonly name: string
  readonly description: string
  /** As they were given, in that order. */
  readonly members: readonly Uint8Array[]
  /** Random, so that the same members can have several groups; empty for LEGACY. Only members know it. */
  readonly seed: Uint8Array
  readonly type: 'LEGACY' | 'PANTHEON'
  /** A deleted group stays as DELETED, so that a late or repeated message does not bring it back. */
  readonly state: 'ACTIVE' | 'DELETED'
}

const maxMembers = 1000

/** The id, which follows from the members and the seed. */
export function idOfGroup({ members, seed }: Group): Uint8Array {
  return groupIdOf(members, seed.length > 0 ? seed : undefined)
}

/** Encodes a group as Tesseras send it to each other. */
export function encodeGroup({ name, description, members, seed, type, state }: Group): Uint8Array {
  return concatBytes(
    textField(name),
    textField(description),
    listField(members),
    field(seed),
    textField(type),
    textField(state),
  )
}

/** Undoes `encodeGroup`. */
export function decodeGroup(bytes: Uint8Array): Group {
  const reader = createFieldReader(bytes)
  const [name, description, members] = [reader.text(), reader.text(), reader.list()]
  const [seed, type, state] = [reader.field(), reader.text(), reader.text()]
  if (type !== 'LEGACY' && type !== 'PANTHEON') throw refusals.invalid('unknown type of group')
  if (state !== 'ACTIVE' && state !== 'DELETED') throw refusals.invalid('unknown state of a group')
  if (members.length === 0 || members.length > maxMembers || members.some(({ length }) => length !== keyLength))
    throw refusals.invalid('wrong members')
  if (!reader.isAtEnd()) throw refusals.invalid('something follows')
  return { name, description, members, seed, type, state }
}

/** The LEGACY group of some members. */
export function legacyGroup(members: readonly Uint8Array[]): Group {
  return {
    name: 'legacy',
    description: 'Privacy groups to support the creation of groups by privateFor and privateFrom',
    members,
    seed: emptyBytes,
    type: 'LEGACY',
    state: 'ACTIVE',
  }
}

/** A group as the node sees it. */
export function describeGroup(group: Group): PrivacyGroup {
  const { description, members, name, type } = group
  // In Tessera's order.
  return { description, members: members.map(toBase64), name, privacyGroupId: toBase64(idOfGroup(group)), type }
}
