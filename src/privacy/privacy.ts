import type { ChainView, HashedHeader, PlacedLog } from '../chain/view.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { StateView } from '../state/view.ts'
import type { Store } from '../store/store.ts'
import type { Enclave, PrivacyGroup } from './enclave/enclave.ts'
import { createTenantEnclave, type TenantEnclave } from './enclave/tenantEnclave.ts'
import type { GroupStates } from './execution/groupStates.ts'
import type { PrivateExecutor } from './execution/privateJobs.ts'
import { logsOfReceipts } from './execution/privateLogs.ts'
import { type PrivateReceipt, privateReceiptsIn, readPrivateReceipt } from './execution/privateReceipts.ts'
import type { PrivateMessage, PrivateOutcome } from './execution/runPrivateTx.ts'
import { PrivacyError } from './fault.ts'
import type { FlexibleGroups } from './flexible/flexibleGroups.ts'
import { fetchTx, type ReceivedTx } from './following/fetchPayload.ts'
import { txAt } from './following/groupBlocks.ts'
import type { Membership } from './following/membership.ts'
import type { OwnGroups } from './following/ownGroups.ts'
import type { PrivateChain } from './following/privateChain.ts'
import type { MarkerPlace } from './sending/markerPlace.ts'
import { type GroupKind, markedKey } from './sending/markers.ts'
import type { PrivateSender, SentMarker } from './sending/sendPrivate.ts'

/** A private transaction of which this node is a participant, and where its marker is. */
export interface FoundPrivateTx extends Pick<ReceivedTx, 'tx' | 'group'> {
  readonly marker: Hash32
  readonly at: MarkerPlace
}

/** Private transactions as clients see them. */
export interface Privacy extends Pick<PrivateChain, 'reach' | 'onLogs'> {
  readonly enclave: TenantEnclave
  readonly kind: GroupKind
  /** Undefined where the manager keeps the groups. */
  readonly flexible: FlexibleGroups | undefined
  /** The key at the manager whose private transactions these are, in base64. */
  readonly publicKey: string
  /** Whether the key may see a group: false if it is not a member, and others share the node. */
  maySee(group: Uint8Array): boolean | Promise<boolean>
  /** The groups that the key is a member of. */
  ownGroups(): Promise<readonly PrivacyGroup[]>
  /** Distributes a private transaction and adds its marker to the pool. */
  send(raw: Uint8Array): Promise<SentMarker>
  /** Distributes it only; returns the key that a marker has to carry. */
  distribute(raw: Uint8Array): Promise<Uint8Array>
  /** The private transaction of a mined marker; undefined if there is none, or the key does not take part. */
  find(chain: ChainView, marker: Hash32): Promise<FoundPrivateTx | undefined>
  /** The stored result; undefined if the transaction was not executed. */
  receiptOf(found: FoundPrivateTx): PrivateReceipt | undefined
  /** Whether transactions that name their recipients made the group. */
  isLegacy(group: Uint8Array): boolean
  rootAt(group: Uint8Array, block: number): Hash32
  /** Reads the private state of a group after a block; the view is valid until `read` returns. */
  readState<T>(group: Uint8Array, block: number, read: (state: StateView) => T): T
  call(
    chain: ChainView,
    at: HashedHeader,
    group: Uint8Array,
    message: Omit<PrivateMessage, 'nonce'>,
  ): Promise<PrivateOutcome>
  nonceOf(group: Uint8Array, account: Address): Promise<bigint>
  /** The logs of a group in canonical blocks of a range. */
  logs(chain: ChainView, group: Uint8Array, from: number, to: number): readonly PlacedLog[]
}

export interface PrivacyParts {
  readonly enclave: Enclave
  readonly publicKey: string
  readonly flexible: FlexibleGroups | undefined
  readonly store: Store
  readonly groups: GroupStates
  readonly executor: PrivateExecutor
  readonly follower: PrivateChain
  readonly sender: PrivateSender
  /** Says who is a member of what; undefined where the node has one key only. */
  readonly membership: Membership | undefined
  readonly ownGroups: OwnGroups
  nonceOf(group: Uint8Array, account: Address): Promise<bigint>
}

export function createPrivacy(parts: PrivacyParts): Privacy {
  const { enclave, publicKey, flexible, store, groups, executor, follower, sender, nonceOf, membership, ownGroups } =
    parts

  const kind = flexible ? 'flexible' : 'managed'

  function readState<T>(group: Uint8Array, block: number, read: (state: StateView) => T): T {
    return store.read((reader) => read(groups.of(group).at(reader, block)))
  }

  /** A transaction from before this node was added to its flexible group. */
  function findPast(at: MarkerPlace): Pick<ReceivedTx, 'tx' | 'group'> | undefined {
    return store.read((reader) => {
      for (const group of groups.all(reader)) {
        const tx = txAt(reader, group, at)
        if (tx) return { tx, group }
      }
      return undefined
    })
  }

  return {
    reach: follower.reach,
    onLogs: follower.onLogs,
    enclave: membership ? createTenantEnclave(enclave, publicKey) : enclave,
    kind,
    flexible,
    publicKey,
    maySee: (group) => membership?.isMember(group, publicKey) ?? true,
    ownGroups: () => ownGroups(publicKey),
    send: (raw) => sender.send(raw, publicKey),
    distribute: (raw) => sender.distribute(raw, publicKey),
    nonceOf,
    readState,
    async find(chain, marker) {
      const place = chain.findTx(marker)
      const block = place && chain.blockAt(place.blockNumber)
      const tx = block?.block.transactions[place!.index]
      const key = tx && markedKey(tx, kind)
      if (!key) return undefined
      const at = { number: Number(place!.blockNumber), hash: block!.hash, index: place!.index }
      const fetched = await fetchTx(enclave, key, kind)
      if (fetched.kind === 'received') {
        const { received } = fetched
        if ((await membership?.takesPart(received, key, publicKey)) === false) return undefined
        return { ...received, marker, at }
      }
      const past = flexible && fetched.kind === 'missing' ? findPast(at) : undefined
      return past && { ...past, marker, at }
    },
    receiptOf: ({ group, at }) => store.read((reader) => readPrivateReceipt(reader, group, at)),
    isLegacy: (group) => store.read((reader) => groups.isLegacy(reader, group)),
    rootAt: (group, block) => store.read((reader) => groups.rootAt(reader, group, block)),
    async call(chain, at, group, message) {
      function openState() {
        const reader = store.openSnapshot()
        const state = groups.of(group).at(reader, Number(at.header.number))
        return { state, close: () => reader.close() }
      }
      const outcome = await executor.call(chain, at, group, openState, message)
      if (!outcome) throw new PrivacyError({ code: 'PRIVATE_CALLS_BUSY' })
      return outcome
    },
    logs: (chain, group, from, to) =>
      store.read((reader) => {
        const canonical = [...privateReceiptsIn(reader, group, from, to)].filter(({ at }) => chain.isCanonical(at.hash))
        return logsOfReceipts(chain, canonical)
      }),
  }
}

/** The private nonce of an account as of the head, once the private state is there. */
export function createNonceOf(
  chain: () => ChainView,
  follower: Pick<PrivateChain, 'reach'>,
  store: Store,
  groups: GroupStates,
): PrivacyParts['nonceOf'] {
  return async (group, account) => {
    await follower.reach(group, chain().head.header.number)
    return store.read((reader) => groups.of(group).at(reader, 'latest').account(account)?.nonce ?? 0n)
  }
}
