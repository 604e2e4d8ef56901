import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KeyPair } from '../../src/privacyManager/keys.ts'
import { decodePayload } from '../../src/privacyManager/payload.ts'
import { createSealing } from '../../src/privacyManager/sealing.ts'

/** A manager written by hand, which speaks to others as a Tessera does, or as somebody who pretends to be one. */
export interface PeerManager {
  readonly url: string
  /** The requests that it got, as method and path. */
  readonly requests: string[]
  close(): void
}

export interface PeerAnswers {
  /** The keys that it names; it proves those whose private keys it has. */
  readonly keys?: readonly KeyPair[]
  readonly proves?: boolean
  /** The other managers that it names. */
  readonly peers?: readonly string[]
  /** Answers what is not asked of every manager; 200 without it. */
  answer?(path: string, body: Buffer): Promise<number> | number
}

export async function startPeerManager(answers: PeerAnswers = {}): Promise<PeerManager> {
  const { keys = [], proves = true, peers = [], answer } = answers
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const body = await bodyOf(request)
    const path = request.url!.slice(request.url!.lastIndexOf('/', request.url!.length - 'validate'.length))
    if (request.method === 'GET')
      return void response.end(
        JSON.stringify({
          url,
          peers: peers.map((one) => ({ url: one })),
          keys: keys.map(({ name }) => ({ key: name, url })),
        }),
      )
    if (request.url!.endsWith('/partyinfo/validate')) {
      const opened = proves ? createSealing(keys).open(decodePayload(body), 0) : undefined
      return void response.writeHead(opened ? 200 : 400).end(opened)
    }
    response.writeHead((await answer?.(path, body)) ?? 200).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    requests,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
