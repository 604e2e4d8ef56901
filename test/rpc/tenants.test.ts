import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { fromBase64, toBase64 } from '../../src/privacy/enclave/base64.ts'
import { groupIdOf } from '../../src/privacy/enclave/groupId.ts'
import { privacyPrecompile } from '../../src/privacy/sending/markers.ts'
import type { Manager } from '../../src/privacyManager/createManager.ts'
import { generateKeyPair } from '../../src/privacyManager/keys.ts'
import { groupParamName } from '../../src/rpc/calls/privateMethod.ts'
import { methods } from '../../src/rpc/methods/all.ts'
import { type DevNode, dialWs, eventually, type RpcReply, signed, startDevNode } from '../support/devNode.ts'
import { createManagers } from '../support/managers.ts'
import { type PrivateFields, signPrivate } from '../support/signPrivate.ts'
import { makeRsaKey, makeToken } from '../support/tokens.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-tenants-'))
const jwt = makeRsaKey(join(folder, 'jwt.pub'))
const managers = createManagers(folder)
const tenants = [generateKeyPair(), generateKeyPair(), generateKeyPair()]
const [first, second, outsider] = tenants.map(({ name }) => name) as [string, string, string]
const account = new Uint8Array(32).fill(7)
const accountAddress = '0x92c1a1c1ce46cd56e3d0d28ac4a0a3a9d4bd3bf4'
/** Emits a log and creates a contract that returns 42. */
const code = fromHex('0x60006000a069602a60005260206000f3600052600a6016f3')

let node: DevNode
let shared: Manager
let other: Manager
/** A group of the first tenant and the party of another node. */
let group: string
let marker: string
let contract: string
/** The group of what that party has sent to the second tenant. */
let legacy: string
let legacyMarker: string

const tokenOf = (claims: object) =>
  makeToken({ permissions: ['*:*'], exp: Math.floor(Date.now() / 1000) + 3600, ...claims }, jwt.privateKey)

async function ask(claims: object | undefined, method: string, ...params: unknown[]): Promise<RpcReply> {
  const headers = claims ? { authorization: `Bearer ${tokenOf(claims)}` } : undefined
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await (await fetch(node.url, { method: 'POST', body, ...(headers && { headers }) })).json()) as RpcReply
}
const as = (tenant: string, method: string, ...params: unknown[]) => ask({ privacyUserId: tenant }, method, ...params)
async function resultOf<T>(tenant: string, method: string, ...params: unknown[]): Promise<T> {
  const { result, error } = await as(tenant, method, ...params)
  if (error) throw new Error(`${method}: ${error.code} ${error.message}`)
  return result as T
}
/** A private transaction that creates the contract. */
const raw = (from: string, { nonce = 0n, recipients }: Partial<PrivateFields> & Pick<PrivateFields, 'recipients'>) =>
  toHex(creation(from, recipients, nonce))
const creation = (from: string, recipients: PrivateFields['recipients'], nonce = 0n) =>
  signPrivate({ nonce, to: undefined, data: code, privateFrom: fromBase64(from)!, recipients }, 1337n, account)
const toGroup = (id: string) => ({ recipients: { privacyGroupId: fromBase64(id)! } })
const receiptOf = (tenant: string, hash: string) =>
  eventually(() =>
    resultOf<{ status: string; contractAddress: string } | null>(tenant, 'priv_getTransactionReceipt', hash),
  )

/** Sends what another node would have sent: the payload from its manager, and the marker in public. */
async function sendFromOther(to: string, nonce: bigint): Promise<string> {
  const recipients = { privateFor: [fromBase64(to)!] }
  const payload = creation(other.keys[0]!, recipients)
  const data = await other.send(payload, other.keys[0]!, { to: [to] })
  const fields = { type: 0, chainId: 1337n, nonce, gasPrice: 10n ** 10n, gasLimit: 100_000n } as const
  const { raw: bytes, hash } = signed({ ...fields, to: privacyPrecompile, value: 0n, data })
  await resultOf(first, 'eth_sendRawTransaction', bytes)
  return hash
}

beforeAll(async () => {
  shared = await managers.start('shared', { keys: tenants })
  other = await managers.start('other')
  await managers.meet()
  node = await startDevNode({
    'rpc-http-api': 'ETH,EEA,PRIV',
    'rpc-ws-api': 'ETH,EEA,PRIV',
    'min-gas-price': '0',
    'privacy-enabled': 'true',
    'privacy-multi-tenancy-enabled': 'true',
    'privacy-url': shared.nodeUrl!,
    'rpc-http-authentication-enabled': 'true',
    'rpc-http-authentication-jwt-public-key-file': join(folder, 'jwt.pub'),
    'rpc-http-api-method-no-auth': 'priv_getLogs',
    'rpc-ws-authentication-enabled': 'true',
    'rpc-ws-authentication-jwt-public-key-file': join(folder, 'jwt.pub'),
  })
  group = await resultOf(first, 'priv_createPrivacyGroup', { addresses: [first, other.keys[0]!] })
  marker = await resultOf(first, 'eea_sendRawTransaction', raw(first, { ...toGroup(group) }))
  contract = (await receiptOf(first, marker)).contractAddress
  legacyMarker = await sendFromOther(second, 0n)
  legacy = toBase64(groupIdOf([other.keys[0]!, second].map((key) => fromBase64(key)!)))
  await receiptOf(second, legacyMarker)
})
afterAll(async () => {
  await node.stop()
  await managers.stopAll()
  rmSync(folder, { recursive: true, force: true })
})

const unauthorized = { code: -40100, message: 'Unauthorized' }
const word42 = `0x${'2a'.padStart(64, '0')}`

describe('a tenant', () => {
  test('sees its own group', async () => {
    expect(await receiptOf(first, marker)).toMatchObject({ status: '0x1', privacyGroupId: group, privateFrom: first })
    expect(await resultOf(first, 'priv_call', group, { to: contract }, 'latest')).toBe(word42)
    expect(await resultOf(first, 'priv_getCode', group, contract, 'latest')).toBe('0x602a60005260206000f3')
    expect(await resultOf(first, 'priv_getLogs', group, {})).toHaveLength(1)
    expect(await resultOf(first, 'priv_getPrivateTransaction', marker)).toMatchObject({ privateFrom: first })
    expect(await resultOf(first, 'priv_debugGetStateRoot', group, 'latest')).toMatch(/^0x[0-9a-f]{64}$/)
    const found = await resultOf<object[]>(first, 'priv_findPrivacyGroup', [first, other.keys[0]!])
    expect(found).toMatchObject([{ privacyGroupId: group }])
  })

  test('sees what another node has sent to it, by the older name of the claim too', async () => {
    const answers = await Promise.all(
      [{ privacyUserId: second }, { privacyPublicKey: second }].map((claims) =>
        ask(claims, 'priv_getLogs', legacy, {}),
      ),
    )
    for (const { result } of answers) expect(result).toHaveLength(1)
    expect(await receiptOf(second, legacyMarker)).toMatchObject({ status: '0x1', privacyGroupId: legacy })
  })

  test('may send to recipients that it has never sent to', async () => {
    const sent = raw(outsider, { recipients: { privateFor: [fromBase64(second)!] } })
    const recipients = [accountAddress, outsider, [second]]
    expect(await resultOf(outsider, 'priv_getEeaTransactionCount', ...recipients)).toBe('0x0')
    const hash = await resultOf<string>(outsider, 'eea_sendRawTransaction', sent)
    for (const tenant of [outsider, second]) expect(await receiptOf(tenant, hash)).toMatchObject({ status: '0x1' })
    expect(await resultOf(first, 'priv_getTransactionReceipt', hash)).toBeNull()
  })
})

/** What a tenant may try about a group with a marker: the parameters, and the error. */
const attempts: Readonly<Record<string, readonly [params: (id: string) => unknown[], error: object]>> = {
  priv_call: [(id) => [id, { to: contract }, 'latest'], unauthorized],
  priv_getCode: [(id) => [id, contract, 'latest'], unauthorized],
  priv_getLogs: [(id) => [id, {}], unauthorized],
  priv_newFilter: [(id) => [id, {}], unauthorized],
  priv_getFilterChanges: [(id) => [id, '0x1'], unauthorized],
  priv_getFilterLogs: [(id) => [id, '0x1'], unauthorized],
  priv_uninstallFilter: [(id) => [id, '0x1'], unauthorized],
  priv_getTransactionCount: [
    (id) => [accountAddress, id],
    { code: -50100, message: 'Unable to determine nonce for account in group.' },
  ],
  priv_debugGetStateRoot: [(id) => [id, 'latest'], { code: -50100, message: 'Error finding privacy group' }],
  priv_deletePrivacyGroup: [(id) => [id], { code: -50100, message: 'Error deleting privacy group' }],
  eea_sendRawTransaction: [
    (id) => [raw(outsider, { ...toGroup(id) })],
    { code: -50100, message: 'Error communicating with enclave' },
  ],
  priv_distributeRawTransaction: [
    (id) => [raw(outsider, { ...toGroup(id) })],
    { code: -50100, message: 'Error communicating with enclave' },
  ],
}

describe('another tenant learns nothing', () => {
  test('every method that names a group is tried', () => {
    const naming = methods.filter(({ params }) => params.some(({ name }) => name === groupParamName))
    const onSocket = ['priv_subscribe', 'priv_unsubscribe']
    const names = naming.map(({ name }) => name).filter((name) => !onSocket.includes(name))
    expect(Object.keys(attempts)).toEqual(expect.arrayContaining(names))
  })

  test.each(Object.entries(attempts))('%s', async (method, [params, error]) => {
    const unknown = toBase64(new Uint8Array(32).fill(9))
    for (const id of [group, legacy, unknown])
      expect((await as(outsider, method, ...params(id))).error, id).toEqual(error)
  })

  test.each(['priv_getTransactionReceipt', 'priv_getPrivateTransaction'])('%s', async (method) => {
    for (const hash of [marker, legacyMarker]) expect((await as(outsider, method, hash)).result).toBeNull()
  })

  test('groups of others can neither be found nor made', async () => {
    const members = [first, other.keys[0]!]
    expect((await as(outsider, 'priv_findPrivacyGroup', members)).error).toEqual({
      code: -50100,
      message: 'Error finding privacy group',
    })
    expect((await as(outsider, 'priv_createPrivacyGroup', { addresses: members })).error?.code).toBe(-50200)
    expect(await resultOf(first, 'priv_findPrivacyGroup', members)).toHaveLength(1)
  })

  test('nobody sends or counts in the name of another key', async () => {
    const error = { code: -50100, message: 'Private from does not match enclave public key' }
    const sent = raw(first, { ...toGroup(group), nonce: 1n })
    for (const method of ['eea_sendRawTransaction', 'priv_distributeRawTransaction'])
      expect((await as(outsider, method, sent)).error).toEqual(error)
    const counted = await as(outsider, 'priv_getEeaTransactionCount', accountAddress, second, [other.keys[0]!])
    expect(counted.error).toEqual(error)
  })

  test('a filter does not help', async () => {
    const id = await resultOf(first, 'priv_newFilter', group, { fromBlock: 'earliest' })
    const own = await resultOf(outsider, 'priv_createPrivacyGroup', { addresses: [outsider] })
    for (const method of ['priv_getFilterChanges', 'priv_getFilterLogs']) {
      expect((await as(outsider, method, group, id)).error).toEqual(unauthorized)
      expect((await as(outsider, method, own, id)).error?.code).toBe(-32000)
      expect((await as(outsider, method.replace('priv', 'eth'), id)).error?.code).toBe(-32000)
    }
    expect(await resultOf(outsider, 'priv_uninstallFilter', own, id)).toBe(false)
    expect(await resultOf(first, 'priv_uninstallFilter', group, id)).toBe(true)
    expect(await resultOf(outsider, 'eth_getLogs', { fromBlock: 'earliest' })).toEqual([])
  })

  test('a group that is deleted stays closed, and its transactions stay with its members', async () => {
    const gone = await resultOf<string>(first, 'priv_createPrivacyGroup', { addresses: [first, second] })
    const hash = await resultOf<string>(first, 'eea_sendRawTransaction', raw(first, { ...toGroup(gone) }))
    await receiptOf(second, hash)
    await resultOf(second, 'priv_deletePrivacyGroup', gone)
    expect((await as(outsider, 'priv_getLogs', gone, {})).error).toEqual(unauthorized)
    expect(await resultOf(outsider, 'priv_getTransactionReceipt', hash)).toBeNull()
    for (const tenant of [first, second]) expect(await receiptOf(tenant, hash)).toMatchObject({ status: '0x1' })
  })

  test('over a WebSocket', async () => {
    const dial = (tenant: string) => dialWs(node.wsUrl, `Bearer ${tokenOf({ privacyUserId: tenant })}`)
    const [mine, theirs] = [await dial(first), await dial(outsider)]
    const { result: subscription } = await mine.send('priv_subscribe', [group, 'logs', {}])
    expect((await theirs.send('priv_subscribe', [group, 'logs', {}])).error).toEqual(unauthorized)
    expect((await theirs.send('priv_subscribe', [legacy, 'logs', {}])).error).toEqual(unauthorized)
    expect((await theirs.send('priv_unsubscribe', [group, subscription])).error).toEqual(unauthorized)
    await resultOf(first, 'eea_sendRawTransaction', raw(first, { ...toGroup(group), nonce: 1n }))
    expect(await mine.next(subscription)).toMatchObject({ logIndex: '0x0' })
    mine.close()
    theirs.close()
  })
})

describe('who is not a tenant is refused', () => {
  test('without a token', async () => {
    expect((await ask(undefined, 'priv_findPrivacyGroup', [first])).error).toEqual(unauthorized)
    expect((await ask(undefined, 'priv_getLogs', group, {})).error).toEqual(unauthorized)
  })
  test.each([{}, { privacyUserId: 5 }, { privacyUserId: '' }, { privacyUserId: 'no key', privacyPublicKey: second }])(
    'with the claims %j',
    async (claims) => {
      const message = 'Invalid Request: the token has no valid privacyUserId'
      expect((await ask(claims, 'priv_getLogs', legacy, {})).error).toEqual({ code: -32600, message })
    },
  )
  test('with a key that the manager does not have', async () => {
    const stranger = generateKeyPair().name
    expect((await as(stranger, 'priv_createPrivacyGroup', { addresses: [stranger] })).error?.code).toBe(-50100)
    expect((await as(stranger, 'priv_getLogs', group, {})).error).toEqual(unauthorized)
  })
})
