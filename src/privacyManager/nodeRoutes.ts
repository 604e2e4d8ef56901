import type { JsonObject } from '../primitives/json.ts'
import { fromBase64, toBase64 } from '../privacy/enclave/base64.ts'
import { refusals, refused } from './fault.ts'
import { describeGroup } from './group.ts'
import type { Groups } from './groups.ts'
import { json, jsonObject, type Route, upcheck, versionApi } from './httpRoutes.ts'
import type { KeyPair } from './keys.ts'
import { keyLength } from './payload.ts'
import type { Payloads } from './payloads.ts'

export interface NodeRoutesPorts {
  /** The first is used where a request names none. */
  readonly keys: readonly KeyPair[]
  readonly payloads: Payloads
  readonly groups: Groups
}

const jsonType = ['application/json']
const receiveTypes = ['application/json', 'application/vnd.orion.v1+json']

/** Histories of flexible groups are sent whole. */
const maxPayload = 32 << 20
const maxBody = 1 << 20

/** What nodes call: Tessera's Q2T API in Orion mode. */
export function createNodeRoutes({ keys, payloads, groups }: NodeRoutesPorts): readonly Route[] {
  const post = (path: string, answer: Route['answer'], more: Partial<Route> = {}): Route => ({
    method: 'POST',
    path,
    types: jsonType,
    maxBody,
    answer,
    ...more,
  })
  const senderIn = (request: JsonObject) =>
    request.from === undefined || request.from === null ? keys[0]!.publicKey : keyIn(request.from)

  return [
    upcheck,
    versionApi,
    post(
      '/send',
      async (body, { headers }) => {
        const request = jsonObject(body)
        const message = typeof request.payload === 'string' ? fromBase64(request.payload) : undefined
        if (!message || message.length === 0) throw refused(400, 'The payload is missing, empty or not base64')
        const { privacyGroupId, to } = request
        const whom =
          privacyGroupId === undefined || privacyGroupId === null
            ? { recipients: keysIn(to ?? []) }
            : { privacyGroupId: keyIn(privacyGroupId) }
        const key = toBase64(await payloads.send(message, senderIn(request), whom))
        const place = `http://${headers.host ?? ''}/transaction/${encodeURIComponent(key)}`
        return { ...json({ key }), headers: { Location: place } }
      },
      { maxBody: maxPayload },
    ),
    post(
      '/receive',
      (body) => {
        const { key, to } = jsonObject(body)
        const hash = typeof key === 'string' ? fromBase64(key) : undefined
        if (!hash) throw refused(400, 'The key is missing or not base64')
        const opened = payloads.receive(hash, to === undefined || to === null ? undefined : keyIn(to))
        return json({
          payload: toBase64(opened.message),
          privacyGroupId: toBase64(opened.privacyGroupId),
          senderKey: toBase64(opened.sender),
        })
      },
      { types: receiveTypes },
    ),
    post('/createPrivacyGroup', async (body) => {
      const request = jsonObject(body)
      const text = (value: unknown) => (value === undefined || value === null ? '' : String(value))
      const members = keysIn(request.addresses ?? [])
      const [name, description] = [text(request.name), text(request.description)]
      return json(describeGroup(await groups.create(members, senderIn(request), name, description)))
    }),
    post('/retrievePrivacyGroup', (body) => json(describeGroup(groups.require(groupIn(jsonObject(body)))))),
    post('/findPrivacyGroup', (body) => json(groups.find(membersIn(jsonObject(body))).map(describeGroup))),
    post('/deletePrivacyGroup', async (body) => {
      const request = jsonObject(body)
      const id = groupIn(request)
      await groups.remove(id, senderIn(request))
      return json(toBase64(id))
    }),
  ]
}

/** A key, hash or group id. */
export function keyIn(value: unknown): Uint8Array {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined
  if (bytes?.length !== keyLength) throw refusals.notBase64(String(value))
  return bytes
}

/** A list of keys. */
export function keysIn(value: unknown): Uint8Array[] {
  if (!Array.isArray(value)) throw refused(400, 'HTTP 400 Bad Request')
  return value.map(keyIn)
}

/** The members that groups are looked for by. */
export function membersIn({ addresses }: JsonObject): Uint8Array[] {
  const members = keysIn(addresses ?? [])
  if (members.length === 0) throw refused(400, 'The list of addresses is empty')
  return members
}

function groupIn({ privacyGroupId }: JsonObject): Uint8Array {
  if (privacyGroupId === undefined || privacyGroupId === null) throw refused(400, 'HTTP 400 Bad Request')
  return keyIn(privacyGroupId)
}
