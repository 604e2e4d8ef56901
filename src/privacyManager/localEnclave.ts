import { fromBase64, toBase64 } from '../privacy/enclave/base64.ts'
import type { Enclave } from '../privacy/enclave/enclave.ts'
import { refusals } from './fault.ts'
import { describeGroup } from './group.ts'
import type { Groups } from './groups.ts'
import { keyIn, keysIn, membersIn } from './nodeRoutes.ts'
import type { Payloads } from './payloads.ts'

/** A manager as the node in the same process uses it, without a server in between. */
export function createLocalEnclave(payloads: Payloads, groups: Groups): Enclave {
  return {
    async send(payload, from, recipients) {
      const to =
        'to' in recipients
          ? { recipients: keysIn(recipients.to) }
          : { privacyGroupId: keyIn(recipients.privacyGroupId) }
      // Besu seals the base64 text of a transaction, not its bytes.
      return payloads.send(new TextEncoder().encode(toBase64(payload)), keyIn(from), to)
    },
    async receive(key, to) {
      const opened = payloads.receive(key, to === undefined ? undefined : keyIn(to))
      const payload = fromBase64(new TextDecoder().decode(opened.message))
      if (!payload) throw refusals.unknownPayload(toBase64(key))
      return {
        payload,
        privacyGroupId: toBase64(opened.privacyGroupId),
        senderKey: toBase64(opened.sender),
      }
    },
    createGroup: async ({ addresses, from, name, description }) =>
      describeGroup(await groups.create(keysIn(addresses), keyIn(from), name, description)),
    async deleteGroup(privacyGroupId, from) {
      await groups.remove(keyIn(privacyGroupId), keyIn(from))
      return privacyGroupId
    },
    findGroups: async (addresses) => groups.find(membersIn({ addresses })).map(describeGroup),
    retrieveGroup: async (privacyGroupId) => describeGroup(groups.require(keyIn(privacyGroupId))),
    groupsOf: async (publicKey) => (await groups.allOf(keyIn(publicKey))).map(describeGroup),
  }
}
