import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { emptyBytes } from '../../src/primitives/bytes.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { fromBase64, toBase64 } from '../../src/privacy/enclave/base64.ts'
import { EnclaveError } from '../../src/privacy/enclave/enclave.ts'
import { groupIdOf } from '../../src/privacy/enclave/groupId.ts'
import { createManager, type Manager } from '../../src/privacyManager/createManager.ts'
import { encodeGroup, type Group, idOfGroup } from '../../src/privacyManager/group.ts'
import { generateKeyPair, readKeyFile } from '../../src/privacyManager/keys.ts'
import { openManagerStore } from '../../src/privacyManager/managerStore.ts'
import { encodePayload, type SealedPayload } from '../../src/privacyManager/payload.ts'
import { encodePayloadCbor } from '../../src/privacyManager/payloadCbor.ts'
import { createSealing, hashPayload } from '../../src/privacyManager/sealing.ts'
import { systemClock } from '../../src/system/clock.ts'
import { createManagers, type Managers } from '../support/managers.ts'
import { createSilentLogs } from '../support/silentLogs.ts'
import { withTempFolder } from '../support/tempStore.ts'
import { sampled } from '../support/wholeRun.ts'

const hello = new TextEncoder().encode('hello')

function withManagers(action: (managers: Managers) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    const managers = createManagers(folder)
    try {
      await action(managers)
    } finally {
      await managers.stopAll()
    }
  })
}

async function startAll(managers: Managers, ...names: readonly string[]): Promise<Manager[]> {
  const started: Manager[] = []
  for (const name of names) started.push(await managers.start(name))
  await managers.meet()
  return started
}

/** The refusal of a call as [status, text]. */
async function refusal(call: Promise<unknown>): Promise<readonly [number, string]> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof EnclaveError) || error.at.code !== 'ENCLAVE_REFUSED') throw new Error(`not refused: ${error}`)
  return [error.at.status, error.at.text]
}

async function post(url: string, path: string, body: object | Uint8Array, headers: Record<string, string> = {}) {
  const isBytes = body instanceof Uint8Array
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': isBytes ? 'application/octet-stream' : 'application/json', ...headers },
    body: isBytes ? Buffer.from(body) : JSON.stringify(body),
  })
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() }
}

const received = (manager: Manager, key: Uint8Array, to?: string) =>
  manager.receive(key, to).then(({ payload }) => new TextDecoder().decode(payload))

describe('managers among themselves', () => {
  test('a payload reaches its recipients, and nobody else learns of it', () =>
    withManagers(async (managers) => {
      const [a, b, c] = (await startAll(managers, 'a', 'b', 'c')) as [Manager, Manager, Manager]
      const [keyA, keyB, keyC] = [a.keys[0]!, b.keys[0]!, c.keys[0]!]
      const arrived: string[] = []
      b.onArrival((key) => arrived.push(toBase64(key)))
      const key = await a.send(hello, keyA, { to: [keyB] })
      const id = toBase64(groupIdOf([keyA, keyB].map((text) => fromBase64(text)!)))
      expect(arrived).toEqual([toBase64(key)])
      for (const manager of [a, b])
        expect(await manager.receive(key)).toEqual({ payload: hello, privacyGroupId: id, senderKey: keyA })
      expect(await received(b, key, keyB)).toBe('hello')
      const unknown = [404, `Message with hash ${toBase64(key)} was not found`]
      expect(await refusal(c.receive(key))).toEqual(unknown)
      // Of other keys the answer is the same as of payloads that do not exist.
      expect(await refusal(a.receive(key, keyC))).toEqual(unknown)
      expect(await refusal(b.receive(key, keyA))).toEqual(unknown)
      expect(await a.findGroups([keyB, keyA])).toMatchObject([{ privacyGroupId: id, type: 'LEGACY' }])
      expect(await b.findGroups([keyB, keyA])).toEqual([])
      expect(await refusal(a.send(hello, keyB, { to: [] }))).toEqual([
        404,
        `Public key ${keyB} not found when searching for private key`,
      ])
    }))

  test('a group is made at all members, and deleted at all', () =>
    withManagers(async (managers) => {
      const [a, b, c] = (await startAll(managers, 'a', 'b', 'c')) as [Manager, Manager, Manager]
      const [keyA, keyB] = [a.keys[0]!, b.keys[0]!]
      const request = { addresses: [keyB, keyA], from: keyA, name: 'n', description: 'd' }
      const group = await a.createGroup(request)
      const second = await a.createGroup(request)
      const id = group.privacyGroupId
      expect(group).toMatchObject({ name: 'n', description: 'd', type: 'PANTHEON', members: [keyB, keyA] })
      expect(await b.retrieveGroup(id)).toEqual(group)
      expect(await b.findGroups([keyA, keyB, keyA])).toEqual([group, second])
      expect(await refusal(c.retrieveGroup(id))).toEqual([404, `Privacy group Id[${id}] not found`])
      expect(await c.findGroups([keyA, keyB])).toEqual([])
      const key = await b.send(hello, keyB, { privacyGroupId: id })
      expect(await a.receive(key)).toEqual({ payload: hello, privacyGroupId: id, senderKey: keyB })
      expect(await refusal(b.deleteGroup(id, c.keys[0]!))).toEqual([
        403,
        'Sender of request does not belong to this privacy group',
      ])
      expect(await b.deleteGroup(id, keyB)).toBe(id)
      for (const manager of [a, b]) {
        expect((await refusal(manager.retrieveGroup(id)))[0]).toBe(404)
        expect((await refusal(manager.deleteGroup(id, manager.keys[0]!)))[0]).toBe(404)
        expect(await manager.findGroups([keyA, keyB])).toEqual([second])
        expect(await received(manager, key)).toBe('hello')
      }
      expect(await refusal(a.createGroup({ ...request, addresses: [keyB] }))).toEqual([
        403,
        'The list of members in a privacy group should include self',
      ])
    }))

  test('several keys of one manager are apart', () =>
    withManagers(async (managers) => {
      const keys = [generateKeyPair(), generateKeyPair()]
      const one = await managers.start('one', { keys })
      const other = await managers.start('other')
      await managers.meet()
      const [first, second] = one.keys as [string, string]
      const key = await other.send(hello, other.keys[0]!, { to: [second] })
      expect(await received(one, key)).toBe('hello')
      expect(await received(one, key, second)).toBe('hello')
      expect((await refusal(one.receive(key, first)))[0]).toBe(404)
      const both = await other.send(hello, other.keys[0]!, { to: [second, first] })
      expect(await received(one, both, first)).toBe('hello')
      expect(await received(one, both, second)).toBe('hello')
      const group = await one.createGroup({ addresses: [first], from: first, name: '', description: '' })
      expect((await refusal(one.send(hello, second, { privacyGroupId: group.privacyGroupId })))[0]).toBe(403)
    }))
})

describe('faults', () => {
  test('what cannot reach everybody is refused and leaves nothing behind', () =>
    withManagers(async (managers) => {
      // Without rounds of its own it finds out that c is down only when it calls it.
      const a = await managers.start('a', { interval: 1_000_000 })
      const [b, c] = (await startAll(managers, 'b', 'c')) as [Manager, Manager]
      const [keyA, keyB, keyC] = [a.keys[0]!, b.keys[0]!, c.keys[0]!]
      const stranger = generateKeyPair().name
      const group = (addresses: readonly string[]) => ({ addresses, from: keyA, name: '', description: '' })
      const unknown = [404, `Recipient not found for key: ${stranger}`]
      expect(await refusal(a.send(hello, keyA, { to: [keyB, stranger] }))).toEqual(unknown)
      expect(await refusal(a.createGroup(group([keyA, keyB, stranger])))).toEqual(unknown)
      await managers.stop('c')
      const unreachable = [410, 'NodePushingToPeer']
      expect(await refusal(a.createGroup(group([keyA, keyB, keyC])))).toEqual(unreachable)
      expect(await refusal(a.send(hello, keyA, { to: [keyB, keyC] }))).toEqual(unreachable)
      expect(await a.findGroups([keyA, keyB, keyC])).toEqual([])
      expect(await b.findGroups([keyA, keyB, keyC])).toEqual([])
      expect(await a.findGroups([keyA, keyB, stranger])).toEqual([])
      await managers.start('c')
      await managers.meet()
      const key = await a.send(hello, keyA, { to: [keyB, keyC] })
      const made = await a.createGroup(group([keyA, keyB, keyC]))
      for (const name of ['a', 'b', 'c']) {
        await managers.stop(name)
        const again = await managers.start(name)
        expect(await received(again, key)).toBe('hello')
        expect(await again.retrieveGroup(made.privacyGroupId)).toEqual(made)
      }
    }))

  test('a group that was being made when the manager ended is taken back', () =>
    withManagers(async (managers) => {
      const [, b] = (await startAll(managers, 'a', 'b')) as [Manager, Manager]
      const members = [...managers.keysOf('a'), ...managers.keysOf('b')].map(({ publicKey }) => publicKey)
      const seed = new Uint8Array(20).fill(1)
      const group: Group = { name: '', description: '', members, seed, type: 'PANTHEON', state: 'ACTIVE' }
      await managers.stop('a')
      const store = openManagerStore(managers.folderOf('a'))
      await store.write((txn) => txn.putUndelivered(members[1]!, group))
      await store.close()
      await post(b.url, 'pushPrivacyGroup', encodeGroup(group))
      expect(await b.findGroups(members.map(toBase64))).toHaveLength(1)
      await managers.start('a')
      await expect.poll(() => b.findGroups(members.map(toBase64))).toEqual([])
    }))

  test('a member that was down hears of a deletion when it is back', () =>
    withManagers(async (managers) => {
      const [a, b] = (await startAll(managers, 'a', 'b')) as [Manager, Manager]
      const [keyA, keyB] = [a.keys[0]!, b.keys[0]!]
      const request = { addresses: [keyA, keyB], from: keyA, name: '', description: '' }
      const { privacyGroupId } = await a.createGroup(request)
      await managers.stop('b')
      await a.deleteGroup(privacyGroupId, keyA)
      const back = await managers.start('b')
      await expect.poll(() => back.findGroups([keyA, keyB])).toEqual([])
    }))

  test('a manager that has lost its store gets its groups and payloads again, those that it sent too', () =>
    withManagers(async (managers) => {
      const [a, b] = (await startAll(managers, 'a', 'b')) as [Manager, Manager]
      const sent = await a.send(hello, a.keys[0]!, { to: [b.keys[0]!] })
      const got = await b.send(hello, b.keys[0]!, { to: [a.keys[0]!] })
      const request = { addresses: [...a.keys, ...b.keys], from: a.keys[0]!, name: 'n', description: '' }
      const group = await a.createGroup(request)
      const { privacyGroupId: deleted } = await a.createGroup(request)
      await a.deleteGroup(deleted, a.keys[0]!)
      await managers.stop('a')
      rmSync(managers.folderOf('a'), { recursive: true })
      const again = await managers.start('a')
      await expect
        .poll(async () => (await again.findGroups(request.addresses)).map((each) => each.privacyGroupId))
        .toEqual([group.privacyGroupId])
      for (const key of [sent, got]) await expect.poll(() => received(again, key).catch(() => 'missing')).toBe('hello')
    }))

  test('tampered payloads are refused, replayed ones change nothing', () =>
    withManagers(async (managers) => {
      const [a, b, c] = (await startAll(managers, 'a', 'b', 'c')) as [Manager, Manager, Manager]
      const [pairA] = managers.keysOf('a')
      const [pairB] = managers.keysOf('b')
      const group = await a.createGroup({
        addresses: [...a.keys, ...b.keys],
        from: a.keys[0]!,
        name: '',
        description: '',
      })
      const id = fromBase64(group.privacyGroupId)!
      const message = new TextEncoder().encode(toBase64(hello))
      const payload = createSealing([pairA!]).seal(message, pairA!, [pairB!.publicKey], id)
      const key = hashPayload(payload)
      const push = (each: SealedPayload) => post(b.url, 'push', encodePayload(each)).then(({ status }) => status)
      const flip = (part: Uint8Array) => part.map((byte, i) => (i === 3 ? byte ^ 0x80 : byte))
      for (const tampered of [
        { ...payload, cipherText: flip(payload.cipherText) },
        { ...payload, boxes: payload.boxes.map(flip) },
        { ...payload, sender: managers.keysOf('c')[0]!.publicKey },
        { ...payload, recipients: managers.keysOf('c').map(({ publicKey }) => publicKey) },
        { ...payload, privacyGroupId: emptyBytes },
      ])
        expect(await push(tampered)).toBe(400)
      // A stranger cannot speak in a group of which he is not a member.
      const [pairC] = managers.keysOf('c')
      expect(await push(createSealing([pairC!]).seal(message, pairC!, [pairB!.publicKey], id))).toBe(403)
      expect((await refusal(b.receive(key)))[0]).toBe(404)
      expect(await push(payload)).toBe(201)
      expect(await push(payload)).toBe(201)
      expect(await push({ ...payload, privacyGroupId: groupIdOf([pairB!.publicKey]) })).toBe(400)
      expect(await b.receive(key)).toMatchObject({ senderKey: a.keys[0]!, privacyGroupId: group.privacyGroupId })
      const cbor = { tesseraSupportedApiVersions: '5.0' }
      expect(await post(b.url, 'push', encodePayloadCbor(payload), cbor)).toEqual({
        status: 201,
        type: 'text/html',
        body: toBase64(key),
      })
      expect((await post(b.url, 'push', Uint8Array.of(1, 2, 3))).status).toBe(400)
      expect((await post(c.url, 'push', encodePayload(payload))).status).toBe(400)
    }))

  test('a deleted group does not come back, and strangers cannot delete one', () =>
    withManagers(async (managers) => {
      const [a] = (await startAll(managers, 'a')) as [Manager]
      const [own] = managers.keysOf('a')
      const group: Group = {
        name: '',
        description: '',
        members: [own!.publicKey, generateKeyPair().publicKey],
        seed: new Uint8Array(20).fill(7),
        type: 'PANTHEON',
        state: 'ACTIVE',
      }
      const push = (each: Group) => post(a.url, 'pushPrivacyGroup', encodeGroup(each)).then(({ status }) => status)
      const known = () =>
        a.retrieveGroup(toBase64(idOfGroup(group))).then(
          () => true,
          () => false,
        )
      expect(await push(group)).toBe(200)
      expect(await push(group)).toBe(200)
      // Without the seed it is another group.
      expect(await push({ ...group, seed: new Uint8Array(20), state: 'DELETED' })).toBe(200)
      expect(await known()).toBe(true)
      expect(await push({ ...group, state: 'DELETED' })).toBe(200)
      expect(await known()).toBe(false)
      expect(await push(group)).toBe(409)
      expect(await known()).toBe(false)
      expect(await push({ ...group, members: [generateKeyPair().publicKey] })).toBe(403)
    }))
})

describe('hostile peers', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections()
  })

  async function serve(answer: string, onRequest = (_path: string) => {}): Promise<string> {
    const server = createServer((request, response) => {
      request.resume()
      onRequest(request.url!)
      response.end(answer)
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  test('answers that make no sense do no harm', () =>
    withManagers(async (managers) => {
      const peers = [await serve('{"keys":[null,{"key":5}],'), await serve('x'.repeat(3 << 20)), 'http://127.0.0.1:1/']
      const a = await managers.start('a', { peers })
      const b = await managers.start('b', { peers: [a.url] })
      await managers.meet()
      expect(await received(b, await a.send(hello, a.keys[0]!, { to: b.keys }))).toBe('hello')
      for (const path of ['partyinfo', 'partyinfo/validate', 'push', 'pushPrivacyGroup'])
        expect((await post(a.url, path, new Uint8Array(100).fill(0xff))).status).toBe(400)
      for (const body of [{}, { publicKey: 5 }, { type: 'ALL', publicKey: 'AAAA' }, []])
        expect((await post(a.url, 'resend', body)).status).toBe(400)
    }))

  test('a validation does not open payloads', () =>
    withManagers(async (managers) => {
      const [a] = (await startAll(managers, 'a')) as [Manager]
      const [own] = managers.keysOf('a')
      const other = generateKeyPair()
      const seal = (text: string) =>
        encodePayload(createSealing([other]).seal(new TextEncoder().encode(text), other, [own!.publicKey], emptyBytes))
      const id = '6fa459ea-ee8a-3ca4-894e-db77e160355e'
      expect(await post(a.url, 'partyinfo/validate', seal(id))).toMatchObject({ status: 200, body: id })
      expect((await post(a.url, 'partyinfo/validate', seal('a secret'))).status).toBe(400)
    }))
})

describe('the API for nodes', () => {
  test('answers as Tessera does', () =>
    withManagers(async (managers) => {
      const [a] = (await startAll(managers, 'a', 'b')) as [Manager, Manager]
      const url = a.nodeUrl!
      const json = (body: unknown) => ({ status: 200, type: 'application/json', body: JSON.stringify(body) })
      const upcheck = await fetch(`${url}upcheck`)
      expect([upcheck.headers.get('content-type'), await upcheck.text()]).toEqual(['text/plain', "I'm up!"])
      const sent = await post(url, 'send', { payload: 'aGVsbG8=', from: a.keys[0], to: [] })
      const { key } = JSON.parse(sent.body) as { key: string }
      const orion = { 'content-type': 'application/vnd.orion.v1+json' }
      const id = toBase64(groupIdOf([fromBase64(a.keys[0]!)!]))
      expect(await post(url, 'receive', { key, to: null }, orion)).toEqual(
        json({ payload: 'aGVsbG8=', privacyGroupId: id, senderKey: a.keys[0] }),
      )
      const made = await post(url, 'createPrivacyGroup', { addresses: a.keys, from: a.keys[0], name: null })
      const group = JSON.parse(made.body) as { privacyGroupId: string }
      expect(made.body).toBe(
        `{"description":"","members":["${a.keys[0]}"],"name":"","privacyGroupId":"${group.privacyGroupId}","type":"PANTHEON"}`,
      )
      expect(await post(url, 'retrievePrivacyGroup', group)).toEqual(json(group))
      expect(JSON.parse((await post(url, 'findPrivacyGroup', { addresses: a.keys })).body)).toHaveLength(2)
      expect(await post(url, 'deletePrivacyGroup', { ...group, from: a.keys[0] })).toEqual(json(group.privacyGroupId))
      expect(await post(url, 'retrievePrivacyGroup', group)).toEqual({
        status: 404,
        type: 'text/plain',
        body: `Privacy group Id[${group.privacyGroupId}] not found`,
      })
      const wrong: readonly (readonly [string, object, number])[] = [
        ['send', { from: a.keys[0], to: [] }, 400],
        ['send', { payload: '', to: [] }, 400],
        ['send', { payload: 'aGVsbG8=', to: ['not base64!'] }, 400],
        ['receive', {}, 400],
        ['findPrivacyGroup', { addresses: [] }, 400],
        ['findPrivacyGroup', [], 400],
        ['nothing', {}, 404],
        ['upcheck', {}, 405],
      ]
      for (const [path, body, status] of wrong)
        expect([path, (await post(url, path, body)).status]).toEqual([path, status])
      expect((await post(url, 'receive', { key }, { 'content-type': 'text/plain' })).status).toBe(415)
      expect((await post(url, 'receive', { key: 'x'.repeat(2 << 20) })).status).toBe(413)
    }))
})

const writer = join(packageRoot, 'dist/test/privacyManager/main.js')

/** Opens what a writer has left and expects all that it acknowledged. */
async function expectAll(folder: string, keys: readonly string[]): Promise<void> {
  const manager = await createManager(
    {
      path: join(folder, 'store'),
      keys: [await readKeyFile(join(folder, 'privacy.key'))],
      peerApi: { host: '127.0.0.1', port: 0 },
      peers: [],
    },
    { log: createSilentLogs(), clock: systemClock },
  )
  try {
    for (const key of keys) expect((await manager.receive(fromBase64(key)!)).payload).toHaveLength(5000)
  } finally {
    await manager.close()
  }
}

test('quoin privacy-manager makes its key, serves, and stops in order', () =>
  withTempFolder(async (folder) => {
    const program = join(packageRoot, 'dist/src/cli/main.js')
    const args = [program, `--data-path=${folder}`, 'privacy-manager']
    const made = spawnSync(process.execPath, [...args, 'keygen'], { encoding: 'utf8' })
    expect(made.stdout.trim()).toBe((await readKeyFile(join(folder, 'privacy.key'))).name)
    const child = spawn(process.execPath, [...args, '--port=0', '--peer-port=0'])
    const ended = once(child, 'exit')
    let [out, isUp] = ['', false]
    for await (const part of child.stdout) {
      out += part
      const url = /"nodes":"([^"]+)"/.exec(out)?.[1]
      if (isUp || url === undefined) continue
      isUp = true
      expect(out).toContain(made.stdout.trim())
      expect(await (await fetch(`${url}upcheck`)).text()).toBe("I'm up!")
      child.kill('SIGTERM')
    }
    expect(await ended).toEqual([0, null])
    expect(out).toContain('stopping')
  }))

describe.skipIf(process.platform === 'win32')('what was acknowledged is on disk', () => {
  test('after kill -9, again and again', () =>
    withTempFolder(async (folder) => {
      let [text, before] = ['', 0]
      for (let kills = 0; kills < sampled(2, 5); kills++) {
        const child = spawn(process.execPath, [writer, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
        const ended = once(child, 'exit')
        const enough = 10 + 37 * kills
        let lines = 0
        for await (const part of child.stdout) {
          text += part
          lines += String(part).split('\n').length - 1
          if (lines >= enough) child.kill('SIGKILL')
        }
        await ended
        text = text.slice(0, text.lastIndexOf('\n') + 1)
        const keys = text.split('\n').filter(Boolean)
        expect(keys.length).toBeGreaterThan(before)
        before = keys.length
        await expectAll(folder, keys)
      }
    }))

  test('after the disk was full, and nothing is acknowledged that is not', () =>
    withTempFolder(async (folder) => {
      const script = '(ulimit -f 4000; exec "$2" "$3" "$1")'
      const { stdout } = spawnSync('sh', ['-c', script, 'sh', folder, process.execPath, writer], { encoding: 'utf8' })
      const lines = stdout.split('\n').filter(Boolean)
      expect(lines.at(-1)).toMatch(/^failed: .*(space|refused a write)/)
      const keys = lines.filter((line) => !line.startsWith('failed'))
      expect(keys.length).toBeGreaterThan(20)
      await expectAll(folder, keys)
    }))
})
