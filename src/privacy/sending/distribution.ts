import { toBase64 } from '../enclave/base64.ts'
import type { Enclave } from '../enclave/enclave.ts'
import { notMember } from '../enclave/tenantEnclave.ts'
import { PrivacyError } from '../fault.ts'
import { encodePrivateTx, type PrivateTx } from './privateTx.ts'

/** Hands private transactions to those who take part. */
export interface Distribution {
  /** Throws a PrivacyError or an EnclaveError if the transaction cannot go to its group. */
  check(tx: PrivateTx): Promise<void>
  /** Hands a transaction that was checked to the manager; returns what its marker has to carry. */
  hand(tx: PrivateTx): Promise<Uint8Array>
}

/** Hands transactions to the recipients that they name, or to the members of a group that the manager knows. */
export function createManagedDistribution(enclave: Enclave): Distribution {
  return {
    async check({ recipients, privateFrom }) {
      if (!('privacyGroupId' in recipients)) return
      const id = toBase64(recipients.privacyGroupId)
      const { type, members } = await enclave.retrieveGroup(id)
      if (!members.includes(toBase64(privateFrom))) throw notMember(id)
      if (type !== 'PANTHEON') throw new PrivacyError({ code: 'WRONG_GROUP_TYPE' })
    },
    hand(tx) {
      const { recipients } = tx
      const from = toBase64(tx.privateFrom)
      if ('privacyGroupId' in recipients)
        return enclave.send(encodePrivateTx(tx), from, { privacyGroupId: toBase64(recipients.privacyGroupId) })
      const to = recipients.privateFor.length === 0 ? [tx.privateFrom] : recipients.privateFor
      return enclave.send(encodePrivateTx(tx), from, { to: to.map(toBase64) })
    },
  }
}
