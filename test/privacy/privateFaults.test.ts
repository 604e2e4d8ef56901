import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toHex } from '../../src/primitives/hex.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { fromBase64 } from '../../src/privacy/enclave/base64.ts'
import { type Enclave, EnclaveError } from '../../src/privacy/enclave/enclave.ts'
import { groupIdOf } from '../../src/privacy/enclave/groupId.ts'
import { createTesseraClient } from '../../src/privacy/enclave/tesseraClient.ts'
import { privacyPrecompile } from '../../src/privacy/sending/markers.ts'
import type { Manager } from '../../src/privacyManager/createManager.ts'
import { generateKeyPair } from '../../src/privacyManager/keys.ts'
import { openManagerStore } from '../../src/privacyManager/managerStore.ts'
import { emptyTrieRoot } from '../../src/types/account.ts'
import { eventually, type RpcReply, signed } from '../support/devNode.ts'
import { freePort } from '../support/freePort.ts'
import { counting, createPrivateParties, type Party, type PrivateParties } from '../support/privateParties.ts'
import { signPrivate } from '../support/signPrivate.ts'
import { withTempFolder } from '../support/tempStore.ts'

function withParties(action: (parties: PrivateParties, folder: string) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    const parties = createPrivateParties(folder)
    try {
      await action(parties, folder)
    } finally {
      await parties.stopAll()
    }
  })
}

/** Two members with managers of their own, and private transactions between them. */
interface Pair {
  readonly a: Party
  readonly b: Party
  /** The group of both. */
  readonly group: Uint8Array
  /** The managers that run. */
  readonly running: { a: Manager; b: Manager }
  /** Hands the next private transaction of the group over; returns its key. */
  send(): Promise<Uint8Array>
}

/** Opens two members; the enclave of the second is its manager unless `enclaveOf` makes another one of it. */
async function openPair(parties: PrivateParties, enclaveOf = (manager: Manager): Enclave => manager): Promise<Pair> {
  const { managers } = parties
  const running = { a: await managers.start('a'), b: await managers.start('b') }
  await managers.meet()
  const [keyA, keyB] = [running.a.keys[0]!, running.b.keys[0]!]
  const recipients = { privateFor: [fromBase64(keyB)!] }
  let nonce = 0n
  const a = parties.open('a', () => running.a)
  const b = parties.open('b', () => enclaveOf(running.b))
  return {
    ...{ a, b, running },
    group: groupIdOf([keyA, keyB].map((key) => fromBase64(key)!)),
    send: () => running.a.send(counting(keyA, recipients, nonce++), keyA, { to: [keyB] }),
  }
}

/** Expects both members to have the same private state after each block, and all transactions to have succeeded. */
async function expectAgreement({ a, b, group }: Pair, blocks: number, txs: number): Promise<void> {
  for (const party of [a, b]) await party.reach(group, blocks)
  while (b.statuses(group).length < txs) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    // A payload may have come before the party listened to its manager: then it is asked for after a while.
    b.clock.run(1000)
  }
  await b.reach(group, blocks)
  expect(b.statuses(group)).toEqual(Array.from({ length: txs }, () => 1))
  for (let block = 0; block <= blocks; block++) expect(b.rootAt(group, block)).toEqual(a.rootAt(group, block))
  expect(b.rootAt(group, blocks)).not.toEqual(emptyTrieRoot)
}

const behind = { at: { code: 'PRIVATE_STATE_BEHIND' } }

/** Expects a question about a block to be refused because the private state is behind. */
async function expectBehind({ b, group }: Pair, block: number): Promise<void> {
  const asked = expect(b.follower.reach(group, BigInt(block))).rejects.toMatchObject(behind)
  b.clock.run(10_000)
  await asked
}

describe('a member catches up by itself', () => {
  test('after its manager was down for 100 blocks, which it imports meanwhile', () =>
    withParties(async (parties) => {
      const pair = await openPair(parties, ({ nodeUrl }) => createTesseraClient({ url: nodeUrl! }))
      const keys = [await pair.send(), await pair.send(), await pair.send()]
      await parties.managers.stop('b')
      for (let block = 1; block <= 100; block++)
        parties.makeBlock(block % 33 === 1 && keys.length ? [keys.shift()!] : [])
      expect(pair.b.chain.chain.head().header.number).toBe(100n)
      await expectBehind(pair, 100)
      pair.running.b = await parties.managers.start('b')
      await expectAgreement(pair, 100, 3)
    }))

  test('after its manager has lost a payload and got it again', () =>
    withParties(async (parties) => {
      const pair = await openPair(parties)
      const keys = [await pair.send(), await pair.send(), await pair.send()]
      await parties.managers.stop('b')
      const store = openManagerStore(parties.managers.folderOf('b'))
      await store.write((writer) => writer.removePayload(keys[1]!))
      await store.close()
      pair.running.b = await parties.managers.start('b')
      for (const key of keys) parties.makeBlock([key])
      await pair.b.reach(pair.group, 3)
      expect(pair.b.statuses(pair.group)).toEqual([1, 2])

      await parties.managers.stop('b')
      pair.running.b = await parties.managers.start('b', { recover: true })
      pair.b.listen(pair.running.b)
      await expectAgreement(pair, 3, 3)
    }))

  test('after its manager was started with another key, with which it learns nothing', () =>
    withParties(async (parties) => {
      const pair = await openPair(parties)
      const own = parties.managers.keysOf('b')
      const keys = [await pair.send(), await pair.send()]
      await parties.managers.stop('b')
      pair.running.b = await parties.managers.start('b', { keys: [generateKeyPair()] })
      for (const key of keys) parties.makeBlock([key])
      await pair.b.reach(pair.group, 2)
      expect(pair.b.statuses(pair.group)).toEqual([])

      await parties.managers.stop('b')
      pair.running.b = await parties.managers.start('b', { keys: own })
      // It asks for what is missing from time to time.
      pair.b.clock.run(60_000)
      await expectAgreement(pair, 2, 2)
    }))

  test.each<[string, number, string]>([
    ['text', 200, 'it works!'],
    ['half of an answer', 200, '{"payload":"'],
    ['JSON that says nothing', 200, '[]'],
    ['an error of its own', 500, 'java.lang.NullPointerException'],
    ['a redirection', 302, ''],
  ])('after its manager has answered with %s', (_, status, body) =>
    withParties(async (parties) => {
      const proxy = createServer()
      try {
        const pair = await openPair(parties, () => createTesseraClient({ url: urlOf(proxy) }))
        let isBroken = true
        await serve(proxy, () => (isBroken ? { status, body } : pair.running.b.nodeUrl!))
        const key = await pair.send()
        parties.makeBlock([key])
        parties.makeBlock()
        await new Promise((resolve) => setTimeout(resolve, 5))
        expect(pair.b.chain.chain.head().header.number).toBe(2n)
        await expectBehind(pair, 2)
        isBroken = false
        await expectAgreement(pair, 2, 1)
      } finally {
        proxy.close()
        proxy.closeAllConnections()
      }
    }),
  )
})

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** Serves what `answer` says: an answer, or the address of the server that has it. */
async function serve(server: Server, answer: () => string | { status: number; body: string }): Promise<void> {
  server.on('request', async (request, response) => {
    const chosen = answer()
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    if (typeof chosen !== 'string') return response.writeHead(chosen.status).end(chosen.body)
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const made = await fetch(new URL(request.url!, chosen), { method: 'POST', headers, body: Buffer.concat(parts) })
    response.writeHead(made.status).end(await made.text())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
}

/** Whether a file in a folder has some bytes. */
function isWrittenIn(folder: string, bytes: Uint8Array): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(Buffer.from(bytes)),
  )
}

test('who is not a member learns nothing but the key of the payload, which is public', () =>
  withParties(async (parties, folder) => {
    const pair = await openPair(parties)
    const outside = await parties.managers.start('c')
    await parties.managers.meet()
    const c = parties.open('c', () => outside)
    const [keyA, keyB] = [pair.running.a.keys[0]!, pair.running.b.keys[0]!]
    const addresses = [keyA, keyB]
    const made = await pair.running.a.createGroup({ addresses, from: keyA, name: 'the secret name', description: '' })
    const key = await pair.send()
    parties.makeBlock([key])
    await expectAgreement(pair, 1, 1)
    await c.reach(pair.group, 1)
    expect(c.rootAt(pair.group, 1)).toEqual(emptyTrieRoot)
    expect(c.statuses(pair.group)).toEqual([])
    const refused = { at: { code: 'ENCLAVE_REFUSED', status: 404 } }
    await expect(outside.receive(key)).rejects.toMatchObject(refused)
    await expect(outside.receive(key, keyB)).rejects.toMatchObject(refused)
    await expect(outside.retrieveGroup(made.privacyGroupId)).rejects.toMatchObject(refused)
    await expect(outside.deleteGroup(made.privacyGroupId, keyB)).rejects.toMatchObject(refused)
    expect(await outside.findGroups(addresses)).toEqual([])
    // Nobody may send in the name of others.
    await expect(outside.send(new Uint8Array(1), keyA, { to: [keyB] })).rejects.toMatchObject(refused)
    const { payload } = await pair.running.a.receive(key)
    const secrets = [payload.subarray(0, 60), new TextEncoder().encode('the secret name'), pair.group]
    for (const secret of secrets) {
      expect(isWrittenIn(join(folder, 'c'), secret)).toBe(false)
      expect(isWrittenIn(parties.managers.folderOf('c'), secret)).toBe(false)
    }
    expect(isWrittenIn(join(folder, 'b'), pair.group)).toBe(true)
  }))

const program = join(packageRoot, 'dist/src/cli/main.js')

/** A program of this machine that is killed when the action has ended. */
async function withChildren(
  action: (start: (command: string, args: readonly string[]) => ChildProcess) => Promise<void>,
) {
  const children: ChildProcess[] = []
  try {
    await action((command, args) => {
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      children.push(child)
      return child
    })
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

describe.skipIf(process.platform === 'win32')('processes', () => {
  test('kill -9 between payload and marker: nothing is executed before the marker comes, and then it is', () =>
    withTempFolder((folder) =>
      withChildren(async (start) => {
        const port = await freePort()
        const args = [
          ...[program, '--network=DEV', `--data-path=${folder}`, `--rpc-http-port=${port}`, '--rpc-ws-enabled=false'],
          ...['--rpc-http-api=ETH,EEA,PRIV', '--min-gas-price=0', '--privacy-enabled', '--privacy-manager-peer-port=0'],
          ...['--graphql-http-enabled=false', '--explorer-enabled=false'],
        ]
        const call = async (method: string, ...params: unknown[]): Promise<RpcReply> => {
          const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
          const sent = fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })
          return (await sent.then((answer) => answer.json())) as RpcReply
        }
        const isUp = () => call('eth_blockNumber').catch(() => null)
        const node = start(process.execPath, args)
        await eventually(isUp)
        const name = readFileSync(join(folder, 'privacy.pub'), 'utf8')
        const privateFrom = fromBase64(name)!
        const account = bigIntToFixed(9n, 32)
        const raw = signPrivate(
          { nonce: 0n, to: undefined, data: new Uint8Array(0), privateFrom, recipients: { privateFor: [privateFrom] } },
          1337n,
          account,
        )
        const { result: key } = await call('priv_distributeRawTransaction', toHex(raw))
        await kill(node)

        start(process.execPath, args)
        await eventually(isUp)
        const group = Buffer.from(groupIdOf([privateFrom])).toString('base64')
        const address = '0x0000000000000000000000000000000000000001'
        expect((await call('priv_getTransactionCount', address, group)).result).toBe('0x0')
        const marker = { nonce: 0n, to: privacyPrecompile, data: Buffer.from(String(key).slice(2), 'hex'), value: 0n }
        const tx = signed({ type: 0, chainId: 1337n, gasPrice: 1_000_000_000n, gasLimit: 100_000n, ...marker })
        expect((await call('eth_sendRawTransaction', tx.raw)).result).toBe(tx.hash)
        const receipt = await eventually(async () => (await call('priv_getTransactionReceipt', tx.hash)).result ?? null)
        expect(receipt).toMatchObject({ status: '0x1', privacyGroupId: group })
      }),
    ))

  test('the disk of a manager is full: sending is refused, nothing is lost, and it goes on when there is room', () =>
    withParties((parties, folder) =>
      withChildren(async (start) => {
        const port = await freePort()
        const data = join(folder, 'full')
        const a = await parties.managers.start('a')
        const args = [
          ...[program, `--data-path=${data}`, 'privacy-manager', '--port=0', `--peer-port=${port}`],
          `--peers=${a.url}`,
        ]
        const begin = async (limit: string) => {
          const child = start('sh', ['-c', `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, ...args])
          let out = ''
          child.stdout!.on('data', (part) => {
            out += String(part)
          })
          const url = await eventually(async () => /"nodes":"([^"]+)"/.exec(out)?.[1] ?? null)
          return { child, url }
        }
        let full = await begin('4000')
        const keyB = readFileSync(join(data, 'privacy.pub'), 'utf8')
        const isKnown = async () => (a.knownKeys().includes(keyB) ? true : null)
        await eventually(isKnown)
        const keyA = a.keys[0]!
        const group = groupIdOf([keyA, keyB].map((key) => fromBase64(key)!))
        const partyA = parties.open('a', () => a)
        const partyB = parties.open('b', () => createTesseraClient({ url: full.url }))
        const pair = { a: partyA, b: partyB, group, running: { a, b: a }, send: () => Promise.reject(new Error()) }
        const recipients = { privateFor: [fromBase64(keyB)!] }
        const send = (nonce: bigint) => a.send(counting(keyA, recipients, nonce), keyA, { to: [keyB] })
        parties.makeBlock([await send(0n)])

        const large = new Uint8Array(300_000)
        let refusal: unknown
        for (let n = 0; refusal === undefined && n < 100; n++)
          await a.send(large, keyA, { to: [keyB] }).catch((error: unknown) => (refusal = error))
        expect(refusal).toBeInstanceOf(EnclaveError)
        expect((refusal as EnclaveError).at).toMatchObject({ status: 410, text: 'NodePushingToPeer' })
        parties.makeBlock()
        expect(partyB.chain.chain.head().header.number).toBe(2n)
        await expectAgreement(pair, 2, 1)

        await kill(full.child)
        full = await begin('unlimited')
        await eventually(isKnown)
        parties.makeBlock([await eventually(() => send(1n).catch(() => null))])
        await expectAgreement(pair, 3, 2)
        expect(existsSync(join(data, 'privacy'))).toBe(true)
      }),
    ))
})
