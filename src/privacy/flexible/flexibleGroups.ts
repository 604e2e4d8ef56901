import type { Chain } from '../../chain/chain.ts'
import type { ChainView } from '../../chain/view.ts'
import { zeroHash } from '../../primitives/bytes.ts'
import type { Store } from '../../store/store.ts'
import { toBase64 } from '../enclave/base64.ts'
import type { PrivacyGroup } from '../enclave/enclave.ts'
import type { GroupStates } from '../execution/groupStates.ts'
import type { OpenState, PrivateExecutor } from '../execution/privateJobs.ts'
import { type PrivateTx, privateSenderOf } from '../sending/privateTx.ts'
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
  versionOf(group: Uint8Array): Promise<Uint8Array>
  /** Whether a transaction would succeed if it were executed now. */
  wouldSucceed(group: Uint8Array, tx: PrivateTx): Promise<boolean>
}

export interface FlexibleGroupsParts {
  readonly chain: Pick<Chain, 'openView' | 'read'>
  /** Waits until a group has executed a block. */
  reach(group: Uint8Array, block: bigint): Promise<void>
  readonly store: Store
  readonly groups: GroupStates
  readonly executor: PrivateExecutor
}

export function createFlexibleGroups(parts: FlexibleGroupsParts): FlexibleGroups {
  const { chain, reach, store, groups, executor } = parts

  /** Runs code of a group in its state at the head, while others have their turn. */
  async function atHead<T>(
    group: Uint8Array,
    action: (view: ChainView, openState: () => OpenState) => Promise<T>,
  ): Promise<T> {
    const view = chain.openView()
    const openState = () => {
      const reader = store.openSnapshot()
      const state = groups.of(group).at(reader, Number(view.head.header.number))
      return { state, close: () => reader.close() }
    }
    try {
      return await action(view, openState)
    } finally {
      view.close()
    }
  }

  const ask = (group: Uint8Array, data: Uint8Array) =>
    atHead(group, (view, openState) => readContract(executor, view, view.head, group, openState, data))

  async function read(group: Uint8Array): Promise<PrivacyGroup | undefined> {
    const output = await ask(group, selectors.getParticipants)
    if (output.length === 0) return undefined
    const members = decodeParticipants(output).map(toBase64)
    return { privacyGroupId: toBase64(group), name: '', description: '', type: 'FLEXIBLE', members }
  }

  const headNumber = () => chain.read((view) => view.head.header.number)

  return {
    async find(group) {
      await reach(group, headNumber())
      return read(group)
    },
    async findByMembers(keys) {
      const head = headNumber()
      // A group without state: all payloads were asked for.
      await reach(zeroHash, head)
      const known = store.read((reader) => groups.all(reader))
      await Promise.all(known.map((group) => reach(group, head)))
      const found: PrivacyGroup[] = []
      for (const group of known) {
        const one = await read(group)
        if (one && keys.every((key) => one.members.includes(key))) found.push(one)
      }
      return found
    },
    async versionOf(group) {
      const output = await ask(group, selectors.getVersion)
      return output.length === 32 ? output : zeroHash
    },
    async wouldSucceed(group, tx) {
      const sender = privateSenderOf(tx)
      if (!sender) return false
      const { to, gasPrice, data } = tx
      return atHead(group, async (view, openState) => {
        const outcome = await executor.ask(view, view.head, group, openState, { sender, to, gasPrice, data })
        return outcome.status === 1
      })
    },
  }
}
