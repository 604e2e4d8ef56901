import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { fromBase64, toBase64 } from '../../src/privacy/enclave/base64.ts'
import { groupIdOf } from '../../src/privacy/enclave/groupId.ts'

/** A manager of private transactions in memory, whose only party is one key; it speaks as a Tessera does to Besu. */
export interface FakeManager {
  readonly url: string
  readonly publicKey: string
  close(): void
}

/** The members that any of the calls has. */
interface Question {
  readonly payload: string
  readonly from: string
  readonly to?: readonly string[]
  readonly privacyGroupId: string
  readonly key: string
  readonly addresses: readonly string[]
  readonly name: string
  readonly description: string
}

interface Answer {
  readonly status: number
  readonly body: string
}

const refuse = (text: string): Answer => ({ status: 404, body: text })
const answer = (body: unknown): Answer => ({ status: 200, body: JSON.stringify(body) })

export async function startFakeManager(publicKey: string): Promise<FakeManager> {
  const payloads = new Map<string, object>()
  const groups = new Map<string, { readonly members: readonly string[] }>()

  const calls: Record<string, (request: Question) => Answer> = {
    '/send'({ payload, from, to, privacyGroupId }) {
      const stranger = to?.find((key) => key !== publicKey)
      if (stranger) return refuse(`Recipient not found for key: ${stranger}`)
      const key = toBase64(keccak256(Buffer.from(payload)))
      const group = to ? toBase64(groupIdOf([from, ...to].map((one) => fromBase64(one)!))) : privacyGroupId
      payloads.set(key, { payload, privacyGroupId: group, senderKey: from })
      return answer({ key })
    },
    '/receive': ({ key }) => (payloads.has(key) ? answer(payloads.get(key)) : refuse('not found')),
    '/createPrivacyGroup'({ addresses, name, description }) {
      if (!addresses.includes(publicKey)) return refuse('The list of members in a privacy group should include self')
      const privacyGroupId = toBase64(keccak256(Buffer.from(`group ${groups.size}`)))
      const group = { privacyGroupId, name, description, type: 'PANTHEON', members: addresses }
      groups.set(privacyGroupId, group)
      return answer(group)
    },
    '/deletePrivacyGroup': ({ privacyGroupId }) =>
      groups.delete(privacyGroupId) ? answer(privacyGroupId) : refuse('not found'),
    '/findPrivacyGroup'({ addresses }) {
      if (addresses.some((key) => !fromBase64(key))) return refuse('not base64')
      return answer([...groups.values()].filter(({ members }) => `${members}` === `${addresses}`))
    },
    '/retrievePrivacyGroup': ({ privacyGroupId }) =>
      groups.has(privacyGroupId) ? answer(groups.get(privacyGroupId)) : refuse('not found'),
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { status, body } = calls[request.url!]!(JSON.parse(Buffer.concat(parts).toString()) as Question)
      response.writeHead(status).end(body)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicKey,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
