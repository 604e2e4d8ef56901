import type { ChainView } from '../../chain/view.ts'
import { zeroHash } from '../../primitives/bytes.ts'
import type { Store } from '../../store/openStore.ts'
import { toBase64 } from '../base64.ts'
import type { PrivacyGroup } from '../enclave.ts'
import type { GroupStates } from '../groupStates.ts'
import type { PrivateExecutor } from '../privateExecutor.ts'
import { type PrivateTx, privateSenderOf } from '../privateTx.ts'
import { selectors } from './managementContract.ts'
import { decodeParticipants } from './participants.ts'
import { readContract } from './readContract.ts'

/** The flexible groups that this node has private state of, as their contracts describe them at the head. */
export interface FlexibleGroups {
  /** Undefined if this node has no state of the group. One that removed this node is as it was then. */
  find(group: Uint8Array): Promise<PrivacyGroup | undefined>
  /** The groups whose members include all of these keys. */
  findByMembers(keys: readonly string[]): Promise<readonly PrivacyGroup[]>
  /** What transactions to the group have to carry: zero for one that does not exist yet. */
  versionOf(group: Uint8Array): Uint8Array
  /** Whether a transaction would succeed if it were executed now. */
  wouldSucceed(group: Uint8Array, tx: PrivateTx): boolean
}

export interface FlexibleGroupsParts {
  chain(): ChainView
  /** Waits until a group has executed a block. */
  reach(group: Uint8Array, block: bigint): Promise<void>
  readonly store: Store
  readonly groups: GroupStates
  readonly executor: PrivateExecutor
}

export function createFlexibleGroups({ chain, reach, store, groups, executor }: FlexibleGroupsParts): FlexibleGroups {
  function ask(group: Uint8Array, data: Uint8Array): Uint8Array {
    const view = chain()
    const at = view.head
    return store.read((reader) =>
      readContract(executor, view, at, group, groups.of(group).at(reader, Number(at.header.number)), data),
    )
  }

  function read(group: Uint8Array): PrivacyGroup | undefined {
    const output = ask(group, selectors.getParticipants)
    if (output.length === 0) return undefined
    const members = decodeParticipants(output).map(toBase64)
    return { privacyGroupId: toBase64(group), name: '', description: '', type: 'FLEXIBLE', members }
  }

  return {
    async find(group) {
      await reach(group, chain().head.header.number)
      return read(group)
    },
    async findByMembers(keys) {
      const head = chain().head.header.number
      // A group without state: all payloads were asked for.
      await reach(zeroHash, head)
      const known = store.read((reader) => groups.all(reader))
      await Promise.all(known.map((group) => reach(group, head)))
      return known
        .map(read)
        .filter((group) => group !== undefined)
        .filter(({ members }) => keys.every((key) => members.includes(key)))
    },
    versionOf(group) {
      const output = ask(group, selectors.getVersion)
      return output.length === 32 ? output : zeroHash
    },
    wouldSucceed(group, { to, gasPrice, data, ...tx }) {
      const sender = privateSenderOf({ to, gasPrice, data, ...tx })
      const view = chain()
      const at = view.head
      return (
        sender !== undefined &&
        store.read((reader) => {
          const state = groups.of(group).at(reader, Number(at.header.number))
          return executor.call(view, at, group, state, { sender, to, gasPrice, data }).status === 1
        })
      )
    },
  }
}
