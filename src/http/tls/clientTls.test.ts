import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { tlsFile, tlsText } from '../../../test/support/tlsFixture.ts'
import { type ClientTlsOptions, createTlsAgent } from './clientTls.ts'

let folder: string
let server: Server
let port: number
let requests: number
let shown: string | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-tls-client-'))
  requests = 0
  const identity = { cert: tlsText('server.crt'), key: tlsText('server.key') }
  server = createServer({ ...identity, requestCert: true, rejectUnauthorized: false }, (asked, response) => {
    requests++
    shown = (asked.socket as TLSSocket).getPeerCertificate().fingerprint256
    response.end('hello')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
})

const printOf = (name: string) => new X509Certificate(tlsText(name)).fingerprint256

function known(line: string): string {
  const path = join(folder, 'known')
  writeFileSync(path, line)
  return path
}

function ask(options: ClientTlsOptions): Promise<string> {
  const agent = createTlsAgent(options, createSilentLogs())
  return new Promise<string>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent }, async (answer) => {
      let text = ''
      for await (const part of answer) text += String(part)
      resolve(text)
    })
    sent.on('error', reject)
    sent.end()
  }).finally(() => agent.destroy())
}

test('a server is known by its address and the fingerprint of its certificate, no matter who has signed it', async () => {
  expect(await ask({ knownServersFile: known(`127.0.0.1:${port} ${printOf('server.crt')}`) })).toBe('hello')
})

test.each([
  ['another certificate', () => `127.0.0.1:${port} ${printOf('other.crt')}`],
  ['another port', () => `127.0.0.1:${port + 1} ${printOf('server.crt')}`],
])('nothing is sent to a server with %s', async (_, line) => {
  await expect(ask({ knownServersFile: known(line()) })).rejects.toThrow('shows another certificate')
  expect(requests).toBe(0)
})

test('without a list only certificates of CAs are trusted', async () => {
  await expect(ask({})).rejects.toThrow('self-signed certificate')
  expect(requests).toBe(0)
})

test('the certificate of the keystore is shown', async () => {
  const identity = { kind: 'PKCS12', keystore: tlsFile('server.p12'), password: tlsFile('password') } as const
  await ask({ identity, knownServersFile: known(`127.0.0.1:${port} ${printOf('server.crt')}`) })
  expect(shown).toBe(printOf('server.crt'))
})

test.each(['', 'localhost', 'localhost:1 AA:BB'])('a line %j is refused unless it is empty', (line) => {
  const make = () => createTlsAgent({ knownServersFile: known(line) }, createSilentLogs())
  if (line === '') make()
  else expect(make).toThrow('line 1 is not host:port followed by a SHA-256 fingerprint')
})
