import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toBase64 } from './base64.ts'
import { EnclaveError } from './enclave.ts'
import { createTesseraClient } from './tesseraClient.ts'

let server: Server
let url: string
let seen: { path: string | undefined; type: string | undefined; body: unknown }[]
let reply: { status: number; body: string }

beforeEach(async () => {
  seen = []
  reply = { status: 200, body: '{}' }
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      seen.push({ path: request.url, type: request.headers['content-type'], body: JSON.parse(text) })
      response.writeHead(reply.status).end(reply.body)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => new Promise((done) => server.close(done)))

const key = new Uint8Array(32).fill(3)

test('payloads travel as base64 of base64, as Besu sends them', async () => {
  const client = createTesseraClient({ url })
  reply.body = JSON.stringify({ key: toBase64(key) })
  expect(await client.send(Uint8Array.of(1, 2, 3), 'me', { to: ['you'] })).toEqual(key)
  const encoded = Buffer.from('AQID').toString('base64')
  expect(seen[0]).toEqual({
    path: '/send',
    type: 'application/json',
    body: { payload: encoded, from: 'me', to: ['you'] },
  })
  reply.body = JSON.stringify({ payload: encoded, privacyGroupId: 'g', senderKey: 's' })
  expect(await client.receive(key)).toEqual({ payload: Uint8Array.of(1, 2, 3), privacyGroupId: 'g', senderKey: 's' })
  for (const rest of [{ privacyGroupId: 'g' }, { senderKey: 's' }]) {
    reply.body = JSON.stringify({ payload: encoded, ...rest })
    await expect(client.receive(key)).rejects.toMatchObject({ at: { code: 'ENCLAVE_REFUSED' } })
  }
  expect(seen[1]).toEqual({
    path: '/receive',
    type: 'application/vnd.orion.v1+json',
    body: { key: toBase64(key), to: null },
  })
})

test('a refusal carries its reason, as JSON or plain', async () => {
  const client = createTesseraClient({ url })
  const refused = { code: 'ENCLAVE_REFUSED', status: 404, text: 'EnclavePayloadNotFound' }
  for (const body of ['{"error":"EnclavePayloadNotFound"}', 'EnclavePayloadNotFound']) {
    reply = { status: 404, body }
    await expect(client.receive(key)).rejects.toMatchObject({ at: refused })
  }
})

test('failures and nonsense are an unavailable manager', async () => {
  const client = createTesseraClient({ url })
  for (const answer of [
    { status: 500, body: 'oops' },
    { status: 200, body: 'not JSON' },
    { status: 200, body: '{"key":"AQID"}' },
    { status: 200, body: '[]' },
  ]) {
    reply = answer
    await expect(client.send(key, 'me', { to: [] })).rejects.toMatchObject({ at: { code: 'ENCLAVE_UNAVAILABLE' } })
  }
  const nobody = createTesseraClient({ url: 'http://127.0.0.1:1' })
  await expect(nobody.retrieveGroup('g')).rejects.toThrow(EnclaveError)
})
