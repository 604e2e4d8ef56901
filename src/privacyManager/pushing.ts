import { toBase64 } from '../privacy/enclave/base64.ts'
import type { Logger } from '../system/logger.ts'
import { refusals } from './fault.ts'
import { encodeGroup, type Group } from './group.ts'
import { supportedVersions, versionsHeader } from './managerQuestions.ts'
import type { Parties, Party } from './parties.ts'
import { encodePayload, type SealedPayload } from './payload.ts'
import type { PeerClient } from './peerClient.ts'

/** Hands payloads and groups to other managers; what cannot be delivered is refused as NodePushingToPeer. */
export interface Pushing {
  /** The manager of a recipient; refuses a key that nobody has announced. */
  partyOf(key: Uint8Array): Party
  /** Resolves when the manager has stored the payload. */
  pushPayload(party: Party, payload: SealedPayload): Promise<void>
  pushGroup(group: Group, member: Uint8Array): Promise<void>
}

export function createPushing(parties: Parties, client: PeerClient, log: Logger): Pushing {
  async function push(url: string, path: string, body: Uint8Array, versions: string): Promise<void> {
    try {
      const { status, body: answer } = await client.call(url, path, { body, headers: { [versionsHeader]: versions } })
      if (status !== 200 && status !== 201) throw new Error(`${status} ${answer.toString('utf8', 0, 200)}`)
    } catch (error) {
      // The client learns no more than that: who the others are and what they say is the operator's business.
      log.warn({ url, path, problem: (error as Error).message }, '{url}{path} does not take what it is sent: {problem}')
      throw refusals.unreachable(error)
    }
  }

  function partyOf(key: Uint8Array): Party {
    const party = parties.find(key)
    if (!party) throw refusals.unknownRecipient(toBase64(key))
    return party
  }

  return {
    partyOf,
    // A Tessera takes the codec that the versions in the header of the same request stand for: this one all of them know.
    pushPayload: ({ url }, payload) => push(url, 'push', encodePayload(payload), '2.1,3.0'),
    pushGroup: async (group, member) =>
      push(partyOf(member).url, 'pushPrivacyGroup', encodeGroup(group), supportedVersions),
  }
}

/** A payload with one of its boxes only: nobody learns who the others are. */
export function forRecipient(payload: SealedPayload, at: number): SealedPayload {
  return { ...payload, boxes: [payload.boxes[at]!], recipients: [payload.recipients[at]!] }
}
