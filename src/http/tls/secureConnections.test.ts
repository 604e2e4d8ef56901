import { X509Certificate } from 'node:crypto'
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createRecordedLogs } from '../../../test/support/recordedLogs.ts'
import { fixtureTls, tlsFile, tlsText } from '../../../test/support/tlsFixture.ts'
import { cipherList } from './cipherSuites.ts'
import type { Tls } from './createTls.ts'
import { handshakeLimits, secureConnections } from './secureConnections.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-tls-'))
afterAll(() => rmSync(folder, { recursive: true }))

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function start(tls: Tls, limits = handshakeLimits) {
  const server = createServer((_, response) => response.end('hello'))
  const endHandshakes = secureConnections(server, tls, limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    endHandshakes,
  }
}

interface Greeting {
  readonly text: string
  readonly protocol: string
  readonly cipher: string
  readonly fingerprint: string
}

/** The answer of a server to a client that trusts whatever certificate it has. */
function greet(port: number, options: ConnectionOptions = {}): Promise<Greeting> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, agent: false, rejectUnauthorized: false, ...options },
      async (response) => {
        const socket = response.socket as TLSSocket
        const facts = {
          protocol: socket.getProtocol()!,
          cipher: socket.getCipher().standardName,
          fingerprint: socket.getPeerCertificate().fingerprint256,
        }
        let text = ''
        for await (const chunk of response) text += String(chunk)
        resolve({ text, ...facts })
      },
    )
    call.on('error', reject)
    call.end()
  })
}

const printOf = (name: string) => new X509Certificate(tlsText(`${name}.crt`)).fingerprint256
const client = { cert: tlsText('client.crt'), key: tlsText('client.key') }
const other = { cert: tlsText('other.crt'), key: tlsText('other.key') }

describe('versions and cipher suites', () => {
  test('TLS 1.3 and 1.2 are spoken, with a certificate that a client can check', async () => {
    const { port } = await start(fixtureTls())
    const checks = { ca: tlsText('server.crt'), rejectUnauthorized: true, servername: 'localhost' }
    expect(await greet(port, checks)).toMatchObject({ text: 'hello', protocol: 'TLSv1.3' })
    expect(await greet(port, { ...checks, maxVersion: 'TLSv1.2' })).toMatchObject({ protocol: 'TLSv1.2' })
  })

  test.each(['TLSv1', 'TLSv1.1'] as const)('%s is not', async (version) => {
    const { port } = await start(fixtureTls())
    const old = { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' }
    await expect(greet(port, old)).rejects.toThrow(/alert protocol version/)
  })

  test('one version and one cipher suite can be chosen', async () => {
    const suite = 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'
    const { port } = await start(fixtureTls({ versions: ['TLSv1.2'], cipherSuites: [suite] }))
    expect(await greet(port)).toMatchObject({ protocol: 'TLSv1.2', cipher: suite })
    await expect(greet(port, { minVersion: 'TLSv1.3' })).rejects.toThrow(/alert protocol version/)
    await expect(greet(port, { ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' })).rejects.toThrow(/handshake failure/)
  })

  test('the default suites have forward secrecy and authenticate what they encrypt', () => {
    expect(cipherList(undefined).split(':')).toEqual(
      expect.arrayContaining(['TLS_AES_256_GCM_SHA384', 'ECDHE-RSA-AES128-GCM-SHA256']),
    )
    expect(cipherList(undefined)).not.toMatch(/SHA256:.*-SHA256$|AES\d+-SHA/)
  })
})

test('plain HTTP gets no answer, and the server goes on', async () => {
  const { port } = await start(fixtureTls())
  const answer = new Promise((resolve, reject) =>
    httpRequest({ host: '127.0.0.1', port, agent: false }, resolve).on('error', reject).end(),
  )
  await expect(answer).rejects.toThrow()
  expect((await greet(port)).text).toBe('hello')
})

test('a session is resumed, so that a client that comes back saves most of the handshake', async () => {
  const { port } = await start(fixtureTls())
  const session = await new Promise<Buffer>((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })
    socket.on('error', reject)
    socket.once('session', (ticket) => {
      resolve(ticket)
      socket.destroy()
    })
  })
  const again = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, session })
  await new Promise((resolve) => again.once('secureConnect', resolve))
  expect(again.isSessionReused()).toBe(true)
  again.destroy()
})

describe('handshakes', () => {
  test('a client that never begins one is dropped', async () => {
    const { port, connections } = await start(fixtureTls(), { max: 10, timeout: 50 })
    const silent = connect(port, '127.0.0.1')
    silent.on('error', () => {})
    await new Promise((resolve) => silent.once('close', resolve))
    await expect.poll(connections).toBe(0)
  })

  test('a client that sends half of one is dropped', async () => {
    const { port } = await start(fixtureTls(), { max: 10, timeout: 50 })
    const slow = connect(port, '127.0.0.1')
    slow.on('error', () => {})
    slow.write(Buffer.from([22, 3, 1, 2, 0, 1]))
    await new Promise((resolve) => slow.once('close', resolve))
  })

  test('too many of them end the oldest, and never a connection that is established', async () => {
    const { port, connections } = await start(fixtureTls(), { max: 3, timeout: 600_000 })
    const established = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })
    established.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise((resolve) => established.once('data', resolve))
    const closed: number[] = []
    for (let i = 0; i < 5; i++) {
      const silent = connect(port, '127.0.0.1')
      silent.on('error', () => {}).on('close', () => closed.push(i))
      await new Promise((resolve) => silent.once('connect', resolve))
      await expect.poll(connections).toBe(1 + Math.min(i + 1, 3))
    }
    await expect.poll(() => closed).toEqual([0, 1])
    expect((await greet(port)).text).toBe('hello')
    expect(established.destroyed).toBe(false)
    established.destroy()
  })

  test('they end when the server closes', async () => {
    const { port, connections, endHandshakes } = await start(fixtureTls(), { max: 3, timeout: 600_000 })
    const silent = connect(port, '127.0.0.1')
    silent.on('error', () => {})
    await expect.poll(connections).toBe(1)
    endHandshakes()
    await new Promise((resolve) => silent.once('close', resolve))
  })
})

describe('client certificates', () => {
  const known = join(folder, 'known')
  const onlyKnown = { knownClientsFile: known, caFiles: undefined }

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s: only those that are known are let in', async (maxVersion) => {
    writeFileSync(known, `other ${printOf('other')}\n`)
    const { port } = await start(fixtureTls({ clients: onlyKnown }))
    expect((await greet(port, { maxVersion, ...other })).text).toBe('hello')
    await expect(greet(port, { maxVersion, ...client })).rejects.toThrow()
    await expect(greet(port, { maxVersion })).rejects.toThrow()
  })

  test('the file is read again when it has changed; what cannot be read changes nothing', async () => {
    writeFileSync(known, `client ${printOf('client')}\n`)
    const logs = createRecordedLogs()
    const { port } = await start(fixtureTls({ clients: onlyKnown }, logs))
    await expect(greet(port, other)).rejects.toThrow()
    appendFileSync(known, `other ${printOf('other')}\n`)
    expect((await greet(port, other)).text).toBe('hello')

    appendFileSync(known, 'third')
    expect((await greet(port, other)).text).toBe('hello')
    expect((await greet(port, client)).text).toBe('hello')
    const problem = `TLS files have changed but cannot be used: ${known}: line 3`
    expect(logs.lines().filter((line) => line.includes(problem))).toHaveLength(1)

    writeFileSync(known, `other ${printOf('other')}\n`)
    await expect(greet(port, client)).rejects.toThrow()
    expect((await greet(port, other)).text).toBe('hello')
  })

  test('those of a CA are let in if CAs are trusted, beside those that are known', async () => {
    writeFileSync(known, `other ${printOf('other')}\n`)
    const ca = { knownClientsFile: undefined, caFiles: [tlsFile('ca.crt')] }
    const byCa = await start(fixtureTls({ clients: ca }))
    expect((await greet(byCa.port, client)).text).toBe('hello')
    await expect(greet(byCa.port, other)).rejects.toThrow()
    await expect(greet(byCa.port)).rejects.toThrow()
    const byBoth = await start(fixtureTls({ clients: { ...ca, knownClientsFile: known } }))
    expect((await greet(byBoth.port, client)).text).toBe('hello')
    expect((await greet(byBoth.port, other)).text).toBe('hello')
    await expect(greet(byBoth.port)).rejects.toThrow()
  })

  test('CAs of the keystore count only if CAs are trusted', async () => {
    const identity = { kind: 'PKCS12', keystore: tlsFile('server.p12'), password: tlsFile('password') } as const
    const trusting = await start(fixtureTls({ identity, clients: { knownClientsFile: undefined, caFiles: [] } }))
    expect((await greet(trusting.port, client)).text).toBe('hello')
    await expect(greet(trusting.port, other)).rejects.toThrow()
    writeFileSync(known, '')
    const strict = await start(fixtureTls({ identity, clients: onlyKnown }))
    await expect(greet(strict.port, client)).rejects.toThrow()
  })

  test('a session is not resumed, so that it cannot stand for a certificate', async () => {
    writeFileSync(known, `other ${printOf('other')}\n`)
    const { port } = await start(fixtureTls({ clients: onlyKnown }))
    const options = { host: '127.0.0.1', port, rejectUnauthorized: false, maxVersion: 'TLSv1.2' as const }
    const first = connectTls({ ...options, ...other })
    await new Promise((resolve) => first.once('secureConnect', resolve))
    const again = connectTls({ ...options, ...other, session: first.getSession() })
    await new Promise((resolve) => again.once('secureConnect', resolve))
    expect(again.isSessionReused()).toBe(false)
    first.destroy()
    again.destroy()
  })
})

describe('the certificate of the server', () => {
  const identity = { kind: 'PEM', certificate: join(folder, 'my.crt'), key: join(folder, 'my.key') } as const

  test('is taken from the files when they are renewed; half of it changes nothing', async () => {
    copyFileSync(tlsFile('server.crt'), identity.certificate)
    copyFileSync(tlsFile('server.key'), identity.key)
    const logs = createRecordedLogs()
    const { port } = await start(fixtureTls({ identity }, logs))
    expect((await greet(port)).fingerprint).toBe(printOf('server'))

    // First the certificate alone, then half a key, then no file, then both.
    const unusable = () => logs.lines().filter((line) => line.startsWith('warn ')).length
    copyFileSync(tlsFile('renewed.crt'), identity.certificate)
    expect((await greet(port)).fingerprint).toBe(printOf('server'))
    expect(unusable()).toBe(1)
    writeFileSync(identity.key, tlsText('renewed.key').slice(0, 100))
    expect((await greet(port)).fingerprint).toBe(printOf('server'))
    expect((await greet(port)).fingerprint).toBe(printOf('server'))
    expect(unusable()).toBe(2)
    writeFileSync(identity.key, '')
    expect((await greet(port)).fingerprint).toBe(printOf('server'))
    rmSync(identity.key)
    expect((await greet(port)).fingerprint).toBe(printOf('server'))
    expect(unusable()).toBe(4)
    copyFileSync(tlsFile('renewed.key'), identity.key)
    expect((await greet(port)).fingerprint).toBe(printOf('renewed'))
  })

  test('must be complete at the start', () => {
    writeFileSync(identity.certificate, tlsText('server.crt'))
    writeFileSync(identity.key, tlsText('renewed.key'))
    expect(() => fixtureTls({ identity })).toThrow('key values mismatch')
    writeFileSync(identity.key, '')
    expect(() => fixtureTls({ identity })).toThrow(`${identity.key}: the file is empty`)
    const keystore = { kind: 'PKCS12', keystore: tlsFile('server.p12'), password: tlsFile('password') } as const
    expect(() => fixtureTls({ identity: { ...keystore, password: tlsFile('README.md') } })).toThrow(
      'mac verify failure',
    )
    expect(() => fixtureTls({ identity: { ...keystore, keystore: tlsFile('server.crt') } })).toThrow('server.crt: ')
    expect(() => fixtureTls({ identity: { ...keystore, keystore: join(folder, 'none') } })).toThrow('none: ENOENT')
    const caFiles = [tlsFile('password')]
    expect(() => fixtureTls({ clients: { knownClientsFile: undefined, caFiles } })).toThrow('password: ')
  })
})
