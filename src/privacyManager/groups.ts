import { randomBytes } from 'node:crypto'
import { emptyBytes, equalBytes, includesBytes, keyOf } from '../primitives/bytes.ts'
import { toBase64 } from '../privacy/enclave/base64.ts'
import { distinctKeys } from '../privacy/enclave/groupId.ts'
import type { Logger } from '../system/logger.ts'
import { refusals } from './fault.ts'
import { encodeGroup, type Group, idOfGroup } from './group.ts'
import type { ManagerStore } from './managerStore.ts'
import type { Pushing } from './pushing.ts'
import type { Quotas } from './quotas.ts'
import type { Sealing } from './sealing.ts'

/** Privacy groups: made at every member, or nowhere. */
export interface Groups {
  /** Makes a group at all its members. */
  create(members: readonly Uint8Array[], from: Uint8Array, name: string, description: string): Promise<Group>
  remove(id: Uint8Array, from: Uint8Array): Promise<void>
  /** A group that is not deleted. */
  require(id: Uint8Array): Group
  find(members: readonly Uint8Array[]): readonly Group[]
  /** The groups that a key is a member of. */
  allOf(member: Uint8Array): Promise<readonly Group[]>
  /** Takes a group, or its deletion, from another manager; `from` is the member whose manager that is, if it is known. */
  accept(group: Group, from: Uint8Array | undefined): Promise<void>
  /** Tells a member again of all groups that it belongs to. */
  pushAll(member: Uint8Array): Promise<void>
  /** Notifies members of deletions that could not be delivered before. */
  deliver(): Promise<void>
}

export interface GroupsPorts {
  readonly store: ManagerStore
  readonly pushing: Pushing
  readonly sealing: Sealing
  readonly quotas: Quotas
  /** Whether this manager has to do with a key at all. */
  isAllowed(key: Uint8Array): boolean
  readonly log: Logger
}

const seedLength = 20
/** Groups that are read from disk at once. */
const pageSize = 100

/** Privacy groups that members have made, as they are stored and passed on. */
class StoredGroups implements Groups {
  private readonly ports: GroupsPorts
  /** Groups that are being made: their deletion must not be delivered. */
  private readonly inCreation = new Set<string>()

  constructor(ports: GroupsPorts) {
    this.ports = ports
  }

  private foreignMembers({ members }: Group) {
    return distinctKeys(members).filter((key) => !this.ports.sealing.own(key))
  }

  readonly require = (id: Uint8Array): Group => {
    const group = this.ports.store.group(id)
    if (group?.state !== 'ACTIVE') throw refusals.unknownGroup(toBase64(id))
    return group
  }

  private async deliverTo(member: Uint8Array, group: Group): Promise<void> {
    try {
      await this.ports.pushing.pushGroup({ ...group, state: 'DELETED' }, member)
    } catch {
      return
    }
    await this.ports.store.write((writer) => writer.removeUndelivered(member, idOfGroup(group)))
  }

  private async deliverAll(wanted?: Group): Promise<void> {
    const id = wanted && keyOf(idOfGroup(wanted))
    const left = this.ports.store.undelivered().filter(({ group }) => {
      const name = keyOf(idOfGroup(group))
      return !this.inCreation.has(name) && (id === undefined || id === name)
    })
    await Promise.all(left.map(({ member, group }) => this.deliverTo(member, group)))
  }

  readonly deliver: Groups['deliver'] = () => this.deliverAll()

  private async *pages(): AsyncGenerator<readonly Group[]> {
    for (let last: Uint8Array = emptyBytes; ; ) {
      const page = this.ports.store.groupsAfter(last, pageSize)
      if (page.length === 0) return
      yield page.map(([, group]) => group)
      last = page.at(-1)![0]
      // Others have their turn.
      await new Promise(setImmediate)
    }
  }

  readonly pushAll: Groups['pushAll'] = async (member) => {
    // A Tessera refuses groups that it knows.
    for await (const page of this.pages())
      for (const group of page)
        if (isSharedWith(group, member)) await this.ports.pushing.pushGroup(group, member).catch(() => {})
  }

  readonly allOf: Groups['allOf'] = async (member) => {
    const found: Group[] = []
    for await (const page of this.pages())
      found.push(...page.filter(({ state, members }) => state === 'ACTIVE' && includesBytes(members, member)))
    return found
  }

  readonly find: Groups['find'] = (members) =>
    this.ports.store.groupsOf(members).filter(({ state }) => state === 'ACTIVE')

  readonly create: Groups['create'] = async (members, from, name, description) => {
    if (!members.some((member) => equalBytes(member, from))) throw refusals.withoutSelf()
    if (!this.ports.sealing.own(from)) throw refusals.foreignKey(toBase64(from))
    const seed = new Uint8Array(randomBytes(seedLength))
    const group: Group = { name, description, members, seed, type: 'PANTHEON', state: 'ACTIVE' }
    const others = this.foreignMembers(group)
    for (const member of others) this.ports.pushing.partyOf(member)
    const id = idOfGroup(group)
    this.inCreation.add(keyOf(id))
    let isMade = false
    try {
      // If this process ends before all members have the group, those who have it get its deletion later.
      if (others.length > 0)
        await this.ports.store.write((writer) => others.forEach((member) => void writer.putUndelivered(member, group)))
      await allOrFirstError(others.map((member) => this.ports.pushing.pushGroup(group, member)))
      await this.ports.store.write((writer) => {
        writer.putGroup(group)
        for (const member of others) writer.removeUndelivered(member, id)
      })
      isMade = true
      return group
    } finally {
      this.inCreation.delete(keyOf(id))
      if (!isMade) {
        this.ports.log.warn({ group: toBase64(id) }, 'a group could not be made at every member: it is taken back')
        await this.deliverAll(group)
      }
    }
  }

  readonly remove: Groups['remove'] = async (id, from) => {
    const group = this.require(id)
    if (!group.members.some((member) => equalBytes(member, from))) throw refusals.notMember()
    if (!this.ports.sealing.own(from)) throw refusals.foreignKey(toBase64(from))
    // Members of a LEGACY group know it without a message.
    const others = group.type === 'PANTHEON' ? this.foreignMembers(group) : []
    await this.ports.store.write((writer) => {
      writer.putGroup({ ...group, state: 'DELETED' })
      for (const member of others) writer.putUndelivered(member, group)
    })
    await this.deliverAll(group)
  }

  readonly accept: Groups['accept'] = async (group, from) => {
    // Anyone can compute the id of a LEGACY group; that of others needs the seed, which only members have.
    if (group.type === 'LEGACY') return
    if (group.seed.length === 0) throw refusals.invalid('a group without seed')
    if (!group.members.some((member) => this.ports.sealing.own(member))) throw refusals.notMember()
    if (!this.foreignMembers(group).every(this.ports.isAllowed)) throw refusals.notAllowed()
    const before = this.ports.store.group(idOfGroup(group))
    if (before?.state === group.state) return
    if (before?.state === 'DELETED') throw refusals.deletedGroup()
    // A change of what is here needs no room.
    const room = before ? undefined : this.ports.quotas.reserve(from, encodeGroup(group).length)
    try {
      await this.ports.store.write((writer) => {
        const current = writer.group(idOfGroup(group))
        if (current?.state !== 'DELETED') writer.putGroup({ ...(current ?? group), state: group.state })
        room?.write(writer)
      })
    } catch (error) {
      room?.release()
      throw error
    }
  }
}

export function createGroups(ports: GroupsPorts): Groups {
  return new StoredGroups(ports)
}

function isSharedWith({ members, type, state }: Group, member: Uint8Array): boolean {
  return type === 'PANTHEON' && state === 'ACTIVE' && members.some((key) => equalBytes(key, member))
}

/** Waits for all, so that none is under way when this rejects with what the first one of them rejected with. */
export async function allOrFirstError(actions: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(actions)) if (result.status === 'rejected') throw result.reason
}
