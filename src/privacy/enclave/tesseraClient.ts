import { createHttpClient, type HttpAnswer, type HttpClient } from '../../http/client/httpClient.ts'
import { isJsonObject } from '../../primitives/json.ts'
import { toBase64 } from './base64.ts'
import { type Enclave, EnclaveError, type PrivacyGroup } from './enclave.ts'

export interface TesseraClientOptions {
  /** Address of the manager's API for clients (Tessera: Q2T). */
  readonly url: string
  /** Milliseconds that an answer may take. */
  readonly timeout?: number
  /** Keeps connections, and knows certificates where the address is https. */
  readonly http?: HttpClient
}

/** Bytes of the largest answer: payloads are base64 in base64. */
const maxAnswer = 64 << 20

const json = 'application/json'
/** With any other type a Tessera answers in a form of its own, without sender and group. */
const orion = 'application/vnd.orion.v1+json'

/** Talks to a Tessera in Orion mode, or to any other manager with that interface. */
export function createTesseraClient({ url, timeout = 5000, http = createHttpClient() }: TesseraClientOptions): Enclave {
  const call = (path: string, body: object, type: string): Promise<HttpAnswer> => {
    const at = new URL(path, url)
    const headers = { accept: '*/*', 'content-type': type }
    const sent = { method: 'POST', headers, body: JSON.stringify(body) } as const
    return http.ask(at, sent, { timeout, maxAnswer }).catch((error: unknown) => {
      throw unavailable(`${at.host}: ${error instanceof Error ? error.message : error}`, error)
    })
  }

  const post = async (path: string, body: object, type = json): Promise<unknown> => {
    const { status, body: answer } = await call(path, body, type)
    const text = answer.toString()
    if (status !== 200) throw refusal(status, text)
    try {
      return JSON.parse(text)
    } catch (error) {
      throw unavailable(`the answer of ${path} is not JSON`, error)
    }
  }

  return {
    async send(payload, from, recipients) {
      // Besu encodes twice, and what is stored has to stay readable to it.
      const encoded = Buffer.from(toBase64(payload)).toString('base64')
      const answer = await post('/send', { payload: encoded, from, ...recipients })
      return bytesMember(answer, 'key', 32)
    },
    async receive(key, to) {
      const answer = await post('/receive', { key: toBase64(key), to: to ?? null }, orion)
      const encoded = new TextDecoder().decode(bytesMember(answer, 'payload'))
      const payload = new Uint8Array(Buffer.from(encoded, 'base64'))
      const [privacyGroupId, senderKey] = [member(answer, 'privacyGroupId'), member(answer, 'senderKey')]
      // A peer that is not in Orion mode can hand such a payload over: it must not hold up what others send.
      if (typeof privacyGroupId !== 'string' || typeof senderKey !== 'string')
        throw new EnclaveError({ code: 'ENCLAVE_REFUSED', status: 404, text: 'the payload has no group or no sender' })
      return { payload, privacyGroupId, senderKey }
    },
    createGroup: async (group) => groupOf(await post('/createPrivacyGroup', group)),
    async deleteGroup(privacyGroupId, from) {
      const answer = await post('/deletePrivacyGroup', { privacyGroupId, from })
      if (typeof answer !== 'string') throw unavailable('the answer of /deletePrivacyGroup is not an id')
      return answer
    },
    async findGroups(addresses) {
      const answer = await post('/findPrivacyGroup', { addresses })
      if (!Array.isArray(answer)) throw unavailable('the answer of /findPrivacyGroup is not a list')
      return answer.map(groupOf)
    },
    retrieveGroup: async (privacyGroupId) => groupOf(await post('/retrievePrivacyGroup', { privacyGroupId })),
  }
}

function unavailable(text: string, cause?: unknown): EnclaveError {
  return new EnclaveError({ code: 'ENCLAVE_UNAVAILABLE', text }, cause)
}

/** An answer with another status than 200: below 500 it is a refusal, with a reason as JSON or as plain text. */
function refusal(status: number, text: string): EnclaveError {
  if (status >= 500 || status < 400) return unavailable(`status ${status}: ${text.slice(0, 200)}`)
  return new EnclaveError({ code: 'ENCLAVE_REFUSED', status, text: reasonIn(text) })
}

function reasonIn(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text)
    const error = typeof parsed === 'object' && parsed !== null && 'error' in parsed ? parsed.error : parsed
    return typeof error === 'string' ? error : text
  } catch {
    return text
  }
}

function member(answer: unknown, name: string): unknown {
  return isJsonObject(answer) ? answer[name] : undefined
}

function textMember(answer: unknown, name: string): string {
  const value = member(answer, name)
  if (typeof value !== 'string') throw unavailable(`the answer has no ${name}`)
  return value
}

function bytesMember(answer: unknown, name: string, length?: number): Uint8Array {
  const bytes = new Uint8Array(Buffer.from(textMember(answer, name), 'base64'))
  if (length !== undefined && bytes.length !== length)
    throw unavailable(`${name} has ${bytes.length} bytes instead of ${length}: Tessera needs "mode": "orion"`)
  return bytes
}

function groupOf(answer: unknown): PrivacyGroup {
  const members = member(answer, 'members')
  const type = textMember(answer, 'type')
  if (!Array.isArray(members) || members.some((one) => typeof one !== 'string'))
    throw unavailable('a group in the answer has no members')
  if (type !== 'LEGACY' && type !== 'PANTHEON') throw unavailable(`a group in the answer has type ${type}`)
  const text = (name: string) => (typeof member(answer, name) === 'string' ? textMember(answer, name) : '')
  const privacyGroupId = textMember(answer, 'privacyGroupId')
  return { privacyGroupId, name: text('name'), description: text('description'), type, members }
}
