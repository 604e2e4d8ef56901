import { afterEach, expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../src/privacy/enclave/base64.ts'
import { groupIdOf } from '../../src/privacy/enclave/groupId.ts'
import type { Manager } from '../../src/privacyManager/createManager.ts'
import { encodeGroup } from '../../src/privacyManager/group.ts'
import { generateKeyPair, type KeyPair } from '../../src/privacyManager/keys.ts'
import { encodePartyInfo } from '../../src/privacyManager/partyInfo.ts'
import { encodePayload } from '../../src/privacyManager/payload.ts'
import { createSealing } from '../../src/privacyManager/sealing.ts'
import { createManagers, type Managers } from '../support/managers.ts'
import { type PeerAnswers, startPeerManager } from '../support/peerManager.ts'
import { withTempFolder } from '../support/tempStore.ts'

const hello = new TextEncoder().encode('hello')

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function startPeer(answers?: PeerAnswers) {
  const peer = await startPeerManager(answers)
  closing.push(peer.close)
  return peer
}

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

async function post(url: string, path: string, body: Uint8Array | object): Promise<number> {
  const isBytes = body instanceof Uint8Array
  const send = () =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' },
      body: isBytes ? Buffer.from(body) : JSON.stringify(body),
    })
  // A kept connection may be that to the manager before its restart.
  const response = await send().catch(send)
  await response.arrayBuffer()
  return response.status
}

const announce = (to: string, url: string, keys: readonly KeyPair[] = [], knownUrls: readonly string[] = []) =>
  post(to, 'partyinfo', encodePartyInfo({ url, keys: keys.map((key) => ({ key: key.publicKey, url })), knownUrls }))

/** A payload of `length` bytes that a key has sealed for a manager. */
function sealedFor(manager: Manager, from: KeyPair, length: number): Uint8Array {
  const to = fromBase64(manager.keys[0]!)!
  return encodePayload(createSealing([from]).seal(new Uint8Array(length), from, [to], groupIdOf([from.publicKey, to])))
}

test('a stranger cannot make a manager forget the keys of another one', () =>
  withManagers(async (managers) => {
    // Without rounds of its own nothing mends what a stranger has done.
    const a = await managers.start('a', { interval: 1_000_000 })
    const b = await managers.start('b')
    await managers.meet()
    for (let i = 0; i < 5; i++) {
      expect(await announce(a.url, b.url)).toBe(200)
      await a.send(hello, a.keys[0]!, { to: b.keys })
    }
    expect(a.knownKeys()).toContain(b.keys[0]!)
  }))

test('a manager gives up a key when it says so itself', () =>
  withManagers(async (managers) => {
    const keys = [generateKeyPair(), generateKeyPair()]
    const peer = await startPeer({ keys })
    const a = await managers.start('a', { peers: [peer.url] })
    await expect.poll(() => a.knownKeys()).toContain(keys[1]!.name)
    keys.pop()
    await announce(a.url, peer.url, keys)
    await expect.poll(() => a.knownKeys()).toEqual([...a.keys, keys[0]!.name])
  }))

test('a manager that has proved a key is announced to, and those that it knows are asked', () =>
  withManagers(async (managers) => {
    const a = await managers.start('a')
    const other = await startPeer({ keys: [generateKeyPair()] })
    const peer = await startPeer({ keys: [generateKeyPair()], peers: [other.url] })
    await announce(a.url, peer.url)
    await expect.poll(() => a.knownKeys()).toHaveLength(3)
    for (const { requests } of [peer, other]) await expect.poll(() => requests).toContain('POST /partyinfo')
  }))

test('addresses that strangers name are not called, and keep no manager out', () =>
  withManagers(async (managers) => {
    const a = await managers.start('a')
    const target = await startPeer({ keys: [generateKeyPair()], proves: false })
    const named = Array.from({ length: 3000 }, (_, i) => `${target.url}internal/admin${i}/`)
    expect(await announce(a.url, target.url, [], named)).toBe(200)
    for (const url of named.slice(0, 100)) await announce(a.url, url)
    const c = await managers.start('c')
    await managers.meet()
    expect(a.knownKeys()).toContain(c.keys[0]!)
    await expect.poll(() => target.requests.length).toBeGreaterThan(0)
    // Nobody is told about this manager who has not proved a key, and only who announces itself is asked, never whom it names.
    expect(target.requests).not.toContain('POST /partyinfo')
    const asked = target.requests.map((path) => Number(/admin(\d+)/.exec(path)?.[1] ?? 0))
    expect(Math.max(...asked)).toBeLessThan(100)
  }))

test('a manager that claims much and proves nothing has no keys', () =>
  withManagers(async (managers) => {
    const [a, b] = [await managers.start('a'), await managers.start('b')]
    await managers.meet()
    const stranger = generateKeyPair()
    const liar = await startPeer({ keys: [stranger, managers.keysOf('b')[0]!], proves: false })
    await announce(a.url, liar.url, [stranger])
    await expect.poll(() => liar.requests.filter((path) => path.endsWith('validate')).length).toBeGreaterThan(1)
    await a.send(hello, a.keys[0]!, { to: b.keys })
    expect(a.knownKeys()).not.toContain(stranger.name)
  }))

test('strangers can store little, those who have proved a key more, and a restart does not forget it', () =>
  withManagers(async (managers) => {
    let a = await managers.start('a')
    const push = (from: KeyPair) => post(a.url, 'push', sealedFor(a, from, 1 << 20))
    const statuses: number[] = []
    for (let i = 0; i < 20; i++) statuses.push(await push(generateKeyPair()))
    expect(statuses).toEqual([...Array<number>(15).fill(201), ...Array<number>(5).fill(403)])
    await managers.stop('a')
    a = await managers.start('a')
    expect(await push(generateKeyPair())).toBe(403)
    const known = generateKeyPair()
    const peer = await startPeer({ keys: [known] })
    await announce(a.url, peer.url)
    await expect.poll(() => a.knownKeys()).toContain(known.name)
    expect(await push(known)).toBe(201)
  }))

test('with a list of keys a manager has to do with nobody else', () =>
  withManagers(async (managers) => {
    const [friend, stranger] = [generateKeyPair(), generateKeyPair()]
    const a = await managers.start('a', { allowedKeys: [friend.publicKey] })
    for (const keys of [[friend], [stranger]]) await announce(a.url, (await startPeer({ keys })).url)
    await expect.poll(() => a.knownKeys()).toContain(friend.name)
    expect(await post(a.url, 'push', sealedFor(a, friend, 100))).toBe(201)
    expect(await post(a.url, 'push', sealedFor(a, stranger, 100))).toBe(403)
    const own = fromBase64(a.keys[0]!)!
    const group = (other: KeyPair) =>
      encodeGroup({
        ...{ name: '', description: '', type: 'PANTHEON', state: 'ACTIVE' },
        ...{ members: [own, other.publicKey], seed: new Uint8Array(20).fill(1) },
      })
    expect(await post(a.url, 'pushPrivacyGroup', group(friend))).toBe(200)
    expect(await post(a.url, 'pushPrivacyGroup', group(stranger))).toBe(403)
    expect(a.knownKeys()).not.toContain(stranger.name)
  }))

test('payloads are sent in batches to one key once at a time', () =>
  withManagers(async (managers) => {
    const key = generateKeyPair()
    let [isAsked, release] = [() => {}, () => {}]
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    const released = new Promise<void>((resolve) => (release = resolve))
    const peer = await startPeer({
      keys: [key],
      async answer(path) {
        if (!path.endsWith('pushBatch')) return 200
        isAsked()
        await released
        return 200
      },
    })
    const a = await managers.start('a', { peers: [peer.url] })
    await expect.poll(() => a.knownKeys()).toContain(key.name)
    await a.send(hello, a.keys[0]!, { to: [key.name] })
    const ask = () => post(a.url, 'resendBatch', { publicKey: toBase64(key.publicKey), batchSize: 1 })
    const first = ask()
    await asked
    expect(await Promise.all([ask(), ask()])).toEqual([429, 429])
    release()
    expect(await first).toBe(200)
    expect(await ask()).toBe(200)
  }))
