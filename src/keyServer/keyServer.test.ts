import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Authority, authorities } from '../../test/support/authorityChain.ts'
import { allToSign, packetsToSign, wordsToSign } from '../../test/support/signedContents.ts'
import { createSilentLogs } from '../../test/support/silentLogs.ts'
import { fixtureTls, tlsFile, tlsText } from '../../test/support/tlsFixture.ts'
import { qbftProtocol } from '../consensus/qbft/qbftProtocol.ts'
import { recoverSigner } from '../consensus/recoverSeal.ts'
import type { Listening } from '../http/listen.ts'
import { createTlsAgent } from '../http/tls/clientTls.ts'
import type { Tls } from '../http/tls/createTls.ts'
import { createLocalKey, type HeldKey, SigningRefused } from '../keys/nodeIdentity.ts'
import { toHex } from '../primitives/hex.ts'
import { KeyServerError } from './fault.ts'
import { createKeyHolder } from './keyHolder.ts'
import { type OpenRecord, openRecord } from './openRecord.ts'
import { openRemoteKey } from './remoteKey.ts'
import { startKeyServer } from './startKeyServer.ts'

const [{ key: privateKey }, { key: otherKey }] = authorities(2) as [Authority, Authority]
const key = createLocalKey(privateKey)
const log = createSilentLogs()

let folder: string
let record: OpenRecord
let server: Listening
const clients: HeldKey[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-key-server-'))
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await server?.close(0)
  await record?.close()
  rmSync(folder, { recursive: true })
})

const place = (newAfter?: bigint, local = key) => ({ path: join(folder, 'signed'), address: local.address, newAfter })

async function start(
  newAfter?: bigint,
  { tls, port = 0, local = key }: { tls?: Tls; port?: number; local?: typeof key } = {},
) {
  record = openRecord(place(newAfter, local))
  server = await startKeyServer({ host: '127.0.0.1', port, tls }, createKeyHolder(local, record), log)
}

/** As if it had been killed and started again. */
async function restart() {
  const { port } = server
  await server.close(0)
  await record.close()
  await start(undefined, { port })
}

async function connect(patience = 0): Promise<HeldKey> {
  const opened = await openRemoteKey({ url: new URL(`http://127.0.0.1:${server.port}`), tls: undefined, patience }, log)
  clients.push(opened)
  return opened
}

test('a node signs and agrees as with the key itself', async () => {
  await start(0n)
  const remote = await connect()
  expect([remote.address, remote.publicKey]).toEqual([key.address, key.publicKey])
  const { roundChange, proposal, prepare, seal, commit } = wordsToSign(qbftProtocol, 5n, 1)
  for (const what of [...packetsToSign(), roundChange, proposal, prepare, seal, commit, roundChange])
    expect(await remote.sign(what)).toEqual(key.sign(what.digest))
  const { publicKey } = createLocalKey(otherKey)
  expect(await remote.agree(publicKey)).toEqual(key.agree(publicKey))
})

test('what contradicts is refused, also after a restart, and the node is told not to ask again', async () => {
  await start(0n)
  const remote = await connect()
  const { prepare } = wordsToSign(qbftProtocol, 5n, 0)
  await remote.sign(prepare)
  await restart()
  await expect(remote.sign(wordsToSign(qbftProtocol, 5n, 0, 1).prepare)).rejects.toThrow(SigningRefused)
  await expect(remote.sign(wordsToSign(qbftProtocol, 4n, 0).prepare)).rejects.toThrow(SigningRefused)
  expect(await remote.sign(prepare)).toEqual(key.sign(prepare.digest))
})

test('two nodes with one key, 200 rounds, a server that is started again and again: one word in each', async () => {
  await start(0n)
  const nodes = [await connect(), await connect(), await connect()]
  let refused = 0
  for (let height = 1n; height <= 50n; height++) {
    for (let round = 0; round < 4; round++) {
      const words = (['proposal', 'prepare', 'seal', 'commit'] as const)[round]!
      const tries = nodes.map((node, i) => {
        const what = wordsToSign(qbftProtocol, height, round, i)[words]
        return node.sign(what).then(
          (signature) => ({ signature, digest: what.digest }),
          (error: unknown) => {
            expect(error).toBeInstanceOf(SigningRefused)
            refused++
            return undefined
          },
        )
      })
      const given = (await Promise.all(tries)).filter((one) => one !== undefined)
      expect(given).toHaveLength(1)
      expect(recoverSigner(given[0]!.digest, given[0]!.signature)).toEqual(key.address)
    }
    if (height % 10n === 0n) await restart()
  }
  expect(refused).toBe(400)
})

test('only JSON that makes sense is answered', async () => {
  await start(0n)
  const ask = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, init).then(async (answer) => [answer.status, await answer.text()])
  const post = (path: string, body: unknown, headers = {}) =>
    ask(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
  expect(await ask('/liveness')).toEqual([200, '{"status":"UP"}'])
  expect(await ask('/v1/key')).toEqual([
    200,
    JSON.stringify({ address: toHex(key.address), publicKey: toHex(key.publicKey) }),
  ])
  expect((await ask('/v1/sign'))[0]).toBe(404)
  for (const [body, error] of [
    ['{', 'the body is not JSON'],
    ['null', 'the body is not an object'],
    [{ kind: 'hash', content: '0x00' }, 'the kind is unknown'],
    [{ kind: 'toString', content: '0x00' }, 'the kind is unknown'],
    [{ kind: 'qbft' }, 'content is not hexadecimal'],
    [{ kind: 'qbft', content: '0x0' }, 'content is not hexadecimal'],
  ] as const)
    expect(await post('/v1/sign', body)).toEqual([400, JSON.stringify({ error })])
  const bare = await post('/v1/sign', { kind: 'qbft', content: toHex(new Uint8Array(32).fill(1)) })
  expect(bare[0]).toBe(400)
  expect((await post('/v1/agree', { publicKey: toHex(new Uint8Array(64)) }))[0]).toBe(400)
  const { content } = packetsToSign()[0]!
  const good = { kind: 'packet', content: toHex(content()) }
  expect((await post('/v1/sign', good))[0]).toBe(200)
  expect((await post('/v1/sign', good, { origin: 'https://example.org' }))[0]).toBe(403)
})

describe('the record', () => {
  test('has to be there, unless it is to be begun', async () => {
    expect(() => openRecord(place())).toThrow(/there is no record .* --new-record/)
    await start(7n)
    expect(record.read().closed).toBe(7n)
    await server.close(0)
    await record.close()
    expect(() => openRecord(place(0n))).toThrow('leave out --new-record')
    expect(() => openRecord(place(undefined, createLocalKey(otherKey)))).toThrow('there is no record')
    await start()
  })

  test('nothing is signed when it is damaged', async () => {
    await start(0n)
    await server.close(0)
    await record.close()
    const file = join(folder, 'signed/data.mdb')
    copyFileSync(file, join(folder, 'whole'))
    const bytes = readFileSync(file)
    const at = bytes.indexOf('"closed"')
    expect(at).toBeGreaterThan(0)
    for (let i = bytes.indexOf('"closed"'); i >= 0; i = bytes.indexOf('"closed"', i + 1)) bytes[i + 11] = 0x39
    writeFileSync(file, bytes)
    expect(() => openRecord(place())).toThrow('not what was written')
    copyFileSync(join(folder, 'whole'), file)
    await start()
  })
})

describe('a server that is not what it was', () => {
  test('does not answer', async () => {
    await start(0n)
    const remote = await connect()
    const { port } = server
    await server.close(0)
    const { prepare } = wordsToSign(qbftProtocol, 5n, 0)
    const failure = await remote.sign(prepare).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(SigningRefused)
    await expect(connect()).rejects.toThrow(KeyServerError)
    await record.close()
    await start(undefined, { port })
    expect(await remote.sign(prepare)).toEqual(key.sign(prepare.digest))
  })

  test('has another key', async () => {
    await start(0n)
    const remote = await connect()
    const { port } = server
    await server.close(0)
    await record.close()
    await start(0n, { port, local: createLocalKey(otherKey) })
    await expect(remote.sign(packetsToSign()[0]!)).rejects.toThrow(`does not sign with key ${toHex(key.address)}`)
  })

  test('is asked again at the start, until it is there', async () => {
    await start(0n)
    const { port } = server
    await server.close(0)
    await record.close()
    const opened = connect(10_000)
    setTimeout(() => void start(undefined, { port }), 500)
    expect((await opened).address).toEqual(key.address)
  })
})

describe('TLS', () => {
  const printOf = (name: string) => new X509Certificate(tlsText(name)).fingerprint256
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  async function ask(certificate: string | undefined) {
    const identity =
      certificate === undefined
        ? undefined
        : ({ kind: 'PEM', certificate: tlsFile(`${certificate}.crt`), key: tlsFile(`${certificate}.key`) } as const)
    const known = file('servers', `127.0.0.1:${server.port} ${printOf('server.crt')}`)
    const tls = createTlsAgent({ identity, knownServersFile: known }, log)
    const opened = await openRemoteKey({ url: new URL(`https://127.0.0.1:${server.port}`), tls, patience: 0 }, log)
    clients.push(opened)
    return opened
  }

  test('only a node whose certificate is known can ask', async () => {
    const { subject } = new X509Certificate(tlsText('client.crt'))
    const name = /CN=(.*)/.exec(subject)![1]!
    const knownClientsFile = file('clients', `${name} ${printOf('client.crt')}`)
    await start(0n, { tls: fixtureTls({ clients: { knownClientsFile, caFiles: undefined } }) })
    const remote = await ask('client')
    const [what] = allToSign() as [ReturnType<typeof allToSign>[number]]
    expect(await remote.sign(what)).toEqual(key.sign(what.digest))
    await expect(ask('other')).rejects.toThrow(KeyServerError)
    await expect(ask(undefined)).rejects.toThrow(KeyServerError)
  })
})
