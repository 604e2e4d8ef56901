import type { IncomingMessage } from 'node:http'
import { fromBase64, toBase64 } from '../privacy/enclave/base64.ts'
import { refusals, refused } from './fault.ts'
import { decodeGroup, type Group } from './group.ts'
import type { Groups } from './groups.ts'
import { json, jsonObject, type Route, upcheck, versionApi } from './httpRoutes.ts'
import { versionsHeader } from './managerQuestions.ts'
import { keyIn } from './nodeRoutes.ts'
import type { Parties } from './parties.ts'
import { decodePartyInfo, encodePartyInfo } from './partyInfo.ts'
import { decodePayload, encodePayload } from './payload.ts'
import { decodePayloadCbor } from './payloadCbor.ts'
import type { Payloads } from './payloads.ts'
import type { Resending } from './resending.ts'
import type { Sealing } from './sealing.ts'

export interface PeerRoutesPorts {
  readonly parties: Parties
  readonly payloads: Payloads
  readonly groups: Groups
  readonly sealing: Sealing
  readonly resending: Resending
}

const jsonType = ['application/json']
const bytesType = ['application/octet-stream']

const maxPayload = 32 << 20
const maxBody = 1 << 20

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A route that takes a body of one of the types. */
const post = (path: string, types: readonly string[], answer: Route['answer'], max = maxBody): Route => ({
  method: 'POST',
  path,
  types,
  maxBody: max,
  answer,
})

/** The member of a group whose manager has a network address. */
async function memberAt(
  { members }: Group,
  address: string | undefined,
  resending: Resending,
): Promise<Uint8Array | undefined> {
  for (const key of members) if (await resending.isFrom(key, address)) return key
  return undefined
}

/** Who is there, and which keys are whose. */
function partyRoutes({ parties, sealing }: PeerRoutesPorts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/partyinfo',
      answer() {
        const { url, keys, knownUrls } = parties.describe()
        return json({
          url,
          peers: knownUrls.map((known) => ({ url: known })),
          keys: keys.map((entry) => ({ key: toBase64(entry.key), url: entry.url })),
        })
      },
    },
    post('/partyinfo', bytesType, (body, request) => {
      parties.receive(decodePartyInfo(body), request.socket.remoteAddress ?? '')
      const answer = encodePartyInfo({ url: parties.describe().url, keys: [], knownUrls: [] })
      return { type: 'application/octet-stream', body: answer }
    }),
    post('/partyinfo/validate', bytesType, (body) => {
      const payload = decodePayload(body)
      const opened = sealing.own(payload.recipients[0]!) && sealing.open(payload, 0)
      const text = opened && new TextDecoder().decode(opened)
      // Anything else could be a payload whose text somebody wants to know.
      if (text === undefined || !uuid.test(text)) throw refused(400, 'HTTP 400 Bad Request')
      return { type: 'text/plain', body: text }
    }),
  ]
}

/** Payloads and groups that members send. */
function pushRoutes({ payloads, groups, resending }: PeerRoutesPorts): readonly Route[] {
  return [
    post(
      '/push',
      bytesType,
      async (body, request) => {
        const isCbor = versionsIn(request).includes('5.0')
        const hash = await payloads.accept(isCbor ? decodePayloadCbor(body) : decodePayload(body))
        return { status: 201, type: 'text/html', body: toBase64(hash) }
      },
      maxPayload,
    ),
    post('/pushPrivacyGroup', bytesType, async (body, request) => {
      const group = decodeGroup(body)
      await groups.accept(group, await memberAt(group, request.socket.remoteAddress, resending))
      return {}
    }),
    post(
      '/pushBatch',
      jsonType,
      async (body) => {
        const { encodedPayloads } = jsonObject(body)
        if (!Array.isArray(encodedPayloads)) throw refused(400, 'HTTP 400 Bad Request')
        for (const encoded of encodedPayloads) {
          const bytes = typeof encoded === 'string' ? fromBase64(encoded) : undefined
          if (!bytes) throw refused(400, 'HTTP 400 Bad Request')
          await payloads.accept(decodePayload(bytes))
        }
        return {}
      },
      maxPayload,
    ),
  ]
}

/** Requests of members that have lost their payloads. */
function resendRoutes({ payloads, resending }: PeerRoutesPorts): readonly Route[] {
  return [
    post('/resend', jsonType, async (body, request) => {
      const { type, publicKey, key } = jsonObject(body)
      const reader = keyIn(publicKey)
      if (type === 'ALL') {
        resending.pushAll(reader, await resending.isFrom(reader, request.socket.remoteAddress))
        return {}
      }
      if (type !== 'INDIVIDUAL') throw refused(400, 'HTTP 400 Bad Request')
      const hash = keyIn(key)
      const payload = (await resending.isFrom(reader, request.socket.remoteAddress))
        ? payloads.forKey(hash, reader)
        : undefined
      if (!payload) throw refusals.unknownPayload(toBase64(hash))
      return { type: 'text/plain', body: encodePayload(payload) }
    }),
    post('/resendBatch', jsonType, async (body, request) => {
      const { publicKey, batchSize } = jsonObject(body)
      const key = keyIn(publicKey)
      const isOwner = await resending.isFrom(key, request.socket.remoteAddress)
      const total = await resending.pushBatches(key, typeof batchSize === 'number' ? batchSize : 0, isOwner)
      return json({ total })
    }),
  ]
}

/** What other managers call: the API by which Tesseras talk to each other. */
export function createPeerRoutes(ports: PeerRoutesPorts): readonly Route[] {
  return [upcheck, versionApi, ...partyRoutes(ports), ...pushRoutes(ports), ...resendRoutes(ports)]
}

function versionsIn({ headers }: IncomingMessage): string[] {
  return String(headers[versionsHeader.toLowerCase()] ?? '')
    .split(',')
    .map((version) => version.trim())
}
