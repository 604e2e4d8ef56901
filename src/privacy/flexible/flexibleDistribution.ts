import type { ChainView } from '../../chain/view.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import type { Store } from '../../store/store.ts'
import { toBase64 } from '../enclave/base64.ts'
import type { Enclave, PrivacyGroup } from '../enclave/enclave.ts'
import { PrivacyError } from '../fault.ts'
import type { Distribution } from '../sending/distribution.ts'
import type { PrivateTx } from '../sending/privateTx.ts'
import { collectHistory } from './collectHistory.ts'
import type { FlexibleGroups } from './flexibleGroups.ts'
import { encodeHistory } from './history.ts'
import { isAddition } from './managementContract.ts'
import { addedParticipants } from './participants.ts'
import { encodeVersionedTx } from './versionedTx.ts'

export interface FlexibleDistributionParts {
  readonly enclave: Enclave
  readonly flexible: FlexibleGroups
  readonly store: Store
  chain(): ChainView
}

interface Audience {
  readonly id: Uint8Array
  /** Undefined if the transaction creates the group. */
  readonly group: PrivacyGroup | undefined
  readonly added: readonly string[]
  readonly members: readonly string[]
}

/** Hands transactions to the members that the contract of the group names, and the history to those who are added. */
export function createFlexibleDistribution(parts: FlexibleDistributionParts): Distribution {
  const { enclave, flexible, store, chain } = parts

  async function audienceOf(tx: PrivateTx): Promise<Audience> {
    if (!('privacyGroupId' in tx.recipients)) throw new PrivacyError({ code: 'FLEXIBLE_GROUP_ID_MISSING' })
    const id = tx.recipients.privacyGroupId
    const group = await flexible.find(id)
    const added = isAddition(tx) ? addedParticipants(tx.data).map(toBase64) : []
    const members = [...new Set([...(group?.members ?? []), ...added])]
    if (!members.includes(toBase64(tx.privateFrom))) throw new PrivacyError({ code: 'FLEXIBLE_GROUP_UNKNOWN' })
    return { id, group, added, members }
  }

  return {
    async check(tx) {
      await audienceOf(tx)
    },
    async hand(tx) {
      const { id, group, added, members } = await audienceOf(tx)
      const from = toBase64(tx.privateFrom)
      const version = await flexible.versionOf(id)
      const key = await enclave.send(encodeVersionedTx({ tx, version }), from, { to: members })
      // The history goes out only if the group would take them in: it is locked, and its owner has signed.
      if (!group || added.length === 0 || !(await flexible.wouldSucceed(id, tx))) return key
      const history = collectHistory(store, chain(), id)
      return concatBytes(key, await enclave.send(encodeHistory(history), from, { to: added }))
    },
  }
}
