import { randomUUID } from 'node:crypto'
import { emptyBytes } from '../primitives/bytes.ts'
import { fromBase64 } from '../privacy/enclave/base64.ts'
import { refusals } from './fault.ts'
import type { KeyPair } from './keys.ts'
import { encodePartyInfo, normaliseUrl, type PartyInfo } from './partyInfo.ts'
import { encodePayload, keyLength } from './payload.ts'
import type { PeerClient } from './peerClient.ts'
import type { Sealing } from './sealing.ts'

/** Header by which Tesseras say what they understand. */
export const versionsHeader = 'tesseraSupportedApiVersions'
/** What this manager understands: groups (3.0), CBOR (5.0), and batches of payloads (v2). */
export const supportedVersions = '2.1,3.0,5.0,v1,v2'

/** What is asked of another manager at its own address; all reject if it cannot be reached or answers nonsense. */
export interface ManagerQuestions {
  /** Tells it about this manager. */
  announce(url: string, info: PartyInfo): Promise<void>
  /** The keys that it says are its own, and whom it knows. */
  describe(url: string): Promise<{ readonly keys: readonly Uint8Array[]; readonly urls: readonly string[] }>
  /** Whether it can open what is sealed for a key. */
  proves(url: string, key: Uint8Array): Promise<boolean>
}

export function createManagerQuestions(client: PeerClient, sealing: Sealing, own: KeyPair): ManagerQuestions {
  return {
    async announce(url, info) {
      const headers = { [versionsHeader]: supportedVersions }
      const { status } = await client.call(url, 'partyinfo', { body: encodePartyInfo(info), headers })
      if (status !== 200) throw refusals.invalid(`status ${status}`)
    },
    async describe(url) {
      const { status, body } = await client.call(url, 'partyinfo', { method: 'GET' })
      if (status !== 200) throw refusals.invalid(`status ${status}`)
      const answer = JSON.parse(body.toString()) as { readonly keys?: unknown; readonly peers?: unknown }
      const keys = entriesIn(answer?.keys).flatMap(({ key, url: at }) => {
        const isOwn = typeof at === 'string' && normaliseUrl(at) === url
        const bytes = isOwn && typeof key === 'string' ? fromBase64(key) : undefined
        return bytes?.length === keyLength ? bytes : []
      })
      const urls = entriesIn(answer?.peers).flatMap((peer) => (typeof peer.url === 'string' ? peer.url : []))
      return { keys, urls }
    },
    async proves(url, key) {
      const secret = randomUUID()
      const sealed = sealing.seal(new TextEncoder().encode(secret), own, [key], emptyBytes)
      const { status, body } = await client.call(url, 'partyinfo/validate', { body: encodePayload(sealed) })
      return status === 200 && body.toString() === secret
    },
  }
}

function entriesIn(list: unknown): readonly { readonly key?: unknown; readonly url?: unknown }[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'object' && entry !== null) : []
}
