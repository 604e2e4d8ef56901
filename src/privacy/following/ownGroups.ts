import { keyOf, zeroHash } from '../../primitives/bytes.ts'
import type { Store } from '../../store/store.ts'
import { fromBase64 } from '../enclave/base64.ts'
import type { Enclave, PrivacyGroup } from '../enclave/enclave.ts'
import type { GroupStates } from '../execution/groupStates.ts'
import type { FlexibleGroups } from '../flexible/flexibleGroups.ts'
import type { Membership } from './membership.ts'
import type { PrivateChain } from './privateChain.ts'

export interface OwnGroupsParts {
  readonly enclave: Enclave
  readonly store: Store
  readonly groups: GroupStates
  readonly membership: Membership
  /** Undefined where the manager keeps the groups. */
  readonly flexible: FlexibleGroups | undefined
  readonly follower: Pick<PrivateChain, 'reach'>
  /** The number of the head. */
  readonly head: () => bigint
}

/** Lists the groups that a key is a member of. */
export type OwnGroups = (publicKey: string) => Promise<readonly PrivacyGroup[]>

/**
 * Groups that have private state here, and those that the manager names: the one inside knows all, while a Tessera can only be asked for
 * those of exact members, so that its groups are listed from their first transaction on.
 */
export function createOwnGroups(parts: OwnGroupsParts): OwnGroups {
  const { enclave, store, groups, membership, flexible, follower, head } = parts
  return async (publicKey) => {
    if (flexible) return flexible.findByMembers([publicKey])
    const found = new Map<string, PrivacyGroup>()
    for (const group of (await enclave.groupsOf?.(publicKey)) ?? [])
      found.set(keyOf(fromBase64(group.privacyGroupId)!), group)
    // A group without state: all payloads were asked for.
    await follower.reach(zeroHash, head())
    for (const id of store.read((reader) => groups.all(reader))) {
      if (found.has(keyOf(id))) continue
      const group = await membership.describe(id)
      if (group?.members.includes(publicKey)) found.set(keyOf(id), group)
    }
    return [...found.values()]
  }
}
