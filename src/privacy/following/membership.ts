import type { ChainView } from '../../chain/view.ts'
import { equalBytes, keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Store } from '../../store/store.ts'
import { fromBase64, toBase64 } from '../enclave/base64.ts'
import { type Enclave, EnclaveError, type PrivacyGroup } from '../enclave/enclave.ts'
import { groupIdOf } from '../enclave/groupId.ts'
import { privateReceiptsIn } from '../execution/privateReceipts.ts'
import { markedKey } from '../sending/markers.ts'
import { fetchTx, type ReceivedTx, unlessRefused } from './fetchPayload.ts'

/** Says who takes part in what, where several tenants share a node. */
export interface Membership {
  /** Whether a key is a member of a group; false if there is no such group. */
  isMember(group: Uint8Array, publicKey: string): Promise<boolean>
  /** A group that the manager keeps, or that transactions have made by naming their recipients; undefined if there is none. */
  describe(group: Uint8Array): Promise<PrivacyGroup | undefined>
  /** Whether a key is the sender or a recipient of a received transaction. */
  takesPart(received: ReceivedTx, payloadKey: Uint8Array, publicKey: string): Promise<boolean>
}

export interface MembershipParts {
  readonly enclave: Enclave
  readonly store: Store
  /** The chain as of the last commit. */
  chain(): ChainView
}

/** Groups whose members are remembered: those of a LEGACY group never change. */
const maxRemembered = 1000

export function createMembership({ enclave, store, chain }: MembershipParts): Membership {
  const legacyMembers = createRecentMap<string, readonly string[]>(maxRemembered)

  /** The key of the first payload of a group. */
  function firstPayload(group: Uint8Array): Uint8Array | undefined {
    const view = chain()
    return store.read((reader) => {
      for (const { at } of privateReceiptsIn(reader, group, 0, Number(view.head.header.number))) {
        const marker = view.isCanonical(at.hash) ? view.body(at.hash)?.transactions[at.index] : undefined
        if (marker) return markedKey(marker, 'managed')
      }
      return undefined
    })
  }

  /** The manager of a recipient does not know a LEGACY group, but each of its transactions names all members. */
  async function membersOfLegacy(group: Uint8Array): Promise<readonly string[]> {
    const known = legacyMembers.use(keyOf(group))
    if (known) return known
    const key = firstPayload(group)
    const fetched = key && (await fetchTx(enclave, key, 'managed'))
    if (fetched?.kind !== 'received') return []
    const { privateFrom, recipients } = fetched.received.tx
    if (!('privateFor' in recipients)) return []
    const members = [privateFrom, ...recipients.privateFor]
    if (!equalBytes(groupIdOf(members), group)) return []
    const names = members.map(toBase64)
    legacyMembers.set(keyOf(group), names)
    return names
  }

  async function describe(group: Uint8Array): Promise<PrivacyGroup | undefined> {
    const stored = await unlessRefused(enclave.retrieveGroup(toBase64(group)))
    if (stored) return stored
    const members = await membersOfLegacy(group)
    if (members.length === 0) return undefined
    return {
      privacyGroupId: toBase64(group),
      name: '',
      description: '',
      type: 'LEGACY',
      members: [...new Set(members)],
    }
  }

  /** Whether a payload was sealed for a key; managers answer in different ways if it was not. */
  async function isSealedFor(payloadKey: Uint8Array, publicKey: string): Promise<boolean> {
    try {
      await enclave.receive(payloadKey, publicKey)
      return true
    } catch (error) {
      if (error instanceof EnclaveError) return false
      throw error
    }
  }

  return {
    isMember: async (group, publicKey) => (await describe(group))?.members.includes(publicKey) ?? false,
    describe,
    async takesPart({ tx, group }, payloadKey, publicKey) {
      const key = fromBase64(publicKey)!
      if (equalBytes(tx.privateFrom, key)) return true
      if ('privateFor' in tx.recipients) return tx.recipients.privateFor.some((one) => equalBytes(one, key))
      const stored = await unlessRefused(enclave.retrieveGroup(toBase64(group)))
      // Deleted groups have transactions too.
      return stored ? stored.members.includes(publicKey) : isSealedFor(payloadKey, publicKey)
    },
  }
}
