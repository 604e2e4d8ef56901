import { concatBytes } from '../primitives/bytes.ts'
import { groupIdOf } from '../privacy/enclave/groupId.ts'
import { StoreError } from '../store/fault.ts'
import { openStore } from '../store/openStore.ts'
import type { Reader, Transaction } from '../store/table.ts'
import { unavailable } from './fault.ts'
import { decodeGroup, encodeGroup, type Group, idOfGroup } from './group.ts'
import { decodePayload, encodePayload, keyLength, type SealedPayload } from './payload.ts'
import { managerTables } from './tables.ts'

const { payloads, groups, groupsOfMembers, undelivered, usage } = managerTables

/** What a manager has on disk. */
export interface ManagerStore {
  payload(hash: Uint8Array): SealedPayload | undefined
  /** Up to `limit` payloads after a hash, in the order of hashes. */
  payloadsAfter(hash: Uint8Array, limit: number): readonly (readonly [Uint8Array, SealedPayload])[]
  hasPayloads(): boolean
  group(id: Uint8Array): Group | undefined
  /** Groups with exactly these members, deleted ones too. */
  groupsOf(members: readonly Uint8Array[]): readonly Group[]
  /** Up to `limit` groups after an id, in the order of ids, deleted ones too. */
  groupsAfter(id: Uint8Array, limit: number): readonly (readonly [Uint8Array, Group])[]
  /** What senders have stored here, by their public keys. */
  usage(): readonly (readonly [Uint8Array, Usage])[]
  /** Deletions that members have not got. */
  undelivered(): readonly { readonly member: Uint8Array; readonly group: Group }[]
  /** Resolves when all that the action wrote is on disk; what several callers write in one turn is one transaction. */
  write(action: (writer: ManagerWriter) => void): Promise<void>
  close(): Promise<void>
}

/** What others have stored here under one key. */
export interface Usage {
  /** Whether a manager has ever proved the key. */
  readonly isProven: boolean
  readonly count: number
  readonly bytes: number
}

/** Changes inside a transaction. */
export interface ManagerWriter {
  payload(hash: Uint8Array): SealedPayload | undefined
  putPayload(hash: Uint8Array, payload: SealedPayload): void
  removePayload(hash: Uint8Array): void
  group(id: Uint8Array): Group | undefined
  putGroup(group: Group): void
  putUsage(sender: Uint8Array, usage: Usage): void
  putUndelivered(member: Uint8Array, group: Group): void
  removeUndelivered(member: Uint8Array, groupId: Uint8Array): void
}

interface Waiting {
  readonly action: (writer: ManagerWriter) => void
  resolve(): void
  reject(error: unknown): void
}

/** The tables, and the writes that wait to be made in one transaction. */
class LmdbManagerStore implements ManagerStore {
  private readonly store: ReturnType<typeof openStore>
  private waiting: Waiting[] = []
  private isClosed = false

  constructor(path: string) {
    this.store = openStore(path, { tables: Object.values(managerTables) })
  }

  private readonly commit = (): void => {
    const batch = this.waiting
    this.waiting = []
    if (batch.length === 0) return
    try {
      this.store.write((txn) => {
        const writer = createWriter(txn)
        for (const { action } of batch) action(writer)
      })
    } catch (error) {
      // Nothing of the batch was written. One that fails must not take the others with it; a disk that fails fails all.
      if (batch.length === 1 || error instanceof StoreError) for (const { reject } of batch) reject(failure(error))
      else for (const one of batch) this.commitAlone(one)
      return
    }
    for (const { resolve } of batch) resolve()
  }

  private commitAlone({ action, resolve, reject }: Waiting): void {
    try {
      this.store.write((txn) => action(createWriter(txn)))
      resolve()
    } catch (error) {
      reject(failure(error))
    }
  }

  readonly payload: ManagerStore['payload'] = (hash) => this.store.read((reader) => readPayload(reader, hash))

  readonly payloadsAfter: ManagerStore['payloadsAfter'] = (hash, limit) =>
    this.store.read((reader) =>
      [...reader.range(payloads, after(hash, limit))].map(([key, bytes]) => [key, decodePayload(bytes)] as const),
    )

  readonly hasPayloads: ManagerStore['hasPayloads'] = () =>
    this.store.read((reader) => [...reader.range(payloads, { limit: 1 })].length > 0)

  readonly group: ManagerStore['group'] = (id) => this.store.read((reader) => readGroup(reader, id))

  readonly groupsOf: ManagerStore['groupsOf'] = (members) =>
    this.store.read((reader) => {
      const ids = [...rowsOfMembers(reader, groupIdOf(members))].map(([, id]) => id)
      return ids.flatMap((id) => readGroup(reader, id) ?? [])
    })

  readonly groupsAfter: ManagerStore['groupsAfter'] = (id, limit) =>
    this.store.read((reader) =>
      [...reader.range(groups, after(id, limit))].map(([key, bytes]) => [key, decodeGroup(bytes)] as const),
    )

  readonly usage: ManagerStore['usage'] = () =>
    this.store.read((reader) => [...reader.range(usage, {})].map(([key, bytes]) => [key, decodeUsage(bytes)] as const))

  readonly undelivered: ManagerStore['undelivered'] = () =>
    this.store.read((reader) =>
      [...reader.range(undelivered, {})].map(([key, bytes]) => ({
        member: key.slice(0, keyLength),
        group: decodeGroup(bytes),
      })),
    )

  readonly write: ManagerStore['write'] = (action) =>
    new Promise((resolve, reject) => {
      if (this.isClosed) return reject(unavailable('the private transaction manager is stopping'))
      if (this.waiting.length === 0) setImmediate(this.commit)
      this.waiting.push({ action, resolve, reject })
    })

  readonly close: ManagerStore['close'] = async () => {
    if (this.isClosed) return
    this.isClosed = true
    this.commit()
    await this.store.close()
  }
}

/** Opens, or makes, the store of a manager. */
export function openManagerStore(path: string): ManagerStore {
  return new LmdbManagerStore(path)
}

/** The rows behind a key. */
function after(key: Uint8Array, limit: number) {
  return { ...(key.length > 0 && { from: concatBytes(key, Uint8Array.of(0)) }), limit }
}

function failure(error: unknown): unknown {
  return error instanceof Error ? unavailable(error.message, error) : error
}

function createWriter(txn: Transaction): ManagerWriter {
  return {
    payload: (hash) => readPayload(txn, hash),
    putPayload: (hash, payload) => txn.put(payloads, hash, encodePayload(payload)),
    removePayload: (hash) => txn.remove(payloads, hash),
    group: (id) => readGroup(txn, id),
    putGroup(group) {
      const id = idOfGroup(group)
      const isNew = txn.peek(groups, id) === undefined
      txn.put(groups, id, encodeGroup(group))
      if (isNew) txn.put(groupsOfMembers, nextMembersKey(txn, groupIdOf(group.members)), id)
    },
    putUsage: (sender, used) => txn.put(usage, sender, encodeUsage(used)),
    putUndelivered: (member, group) =>
      txn.put(undelivered, concatBytes(member, idOfGroup(group)), encodeGroup({ ...group, state: 'DELETED' })),
    removeUndelivered: (member, groupId) => txn.remove(undelivered, concatBytes(member, groupId)),
  }
}

function encodeUsage({ isProven, count, bytes }: Usage): Uint8Array {
  const out = new Uint8Array(17)
  out[0] = Number(isProven)
  const view = new DataView(out.buffer)
  view.setBigUint64(1, BigInt(count))
  view.setBigUint64(9, BigInt(bytes))
  return out
}

function decodeUsage(row: Uint8Array): Usage {
  const view = new DataView(row.buffer, row.byteOffset)
  return { isProven: row[0] === 1, count: Number(view.getBigUint64(1)), bytes: Number(view.getBigUint64(9)) }
}

function readPayload(reader: Reader, hash: Uint8Array): SealedPayload | undefined {
  // LMDB takes no longer keys, and none that is empty; no payload has one.
  if (hash.length !== keyLength) return undefined
  const bytes = reader.get(payloads, hash)
  return bytes && decodePayload(bytes)
}

function readGroup(reader: Reader, id: Uint8Array): Group | undefined {
  if (id.length !== keyLength) return undefined
  const bytes = reader.get(groups, id)
  return bytes && decodeGroup(bytes)
}

const lastNumber = new Uint8Array(8).fill(0xff)

function rowsOfMembers(reader: Reader, members: Uint8Array): Iterable<readonly [Uint8Array, Uint8Array]> {
  return reader.range(groupsOfMembers, { from: members, to: concatBytes(members, lastNumber) })
}

function nextMembersKey(txn: Transaction, members: Uint8Array): Uint8Array {
  const [last] = txn.range(groupsOfMembers, {
    from: concatBytes(members, lastNumber),
    to: members,
    reverse: true,
    limit: 1,
  })
  const number = last ? new DataView(last[0].buffer, last[0].byteOffset).getUint32(keyLength + 4) + 1 : 0
  const suffix = new Uint8Array(8)
  new DataView(suffix.buffer).setUint32(4, number)
  return concatBytes(members, suffix)
}
