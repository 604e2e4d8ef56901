import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fromHex, toHex } from '../src/primitives/hex.ts'
import { bigIntToFixed } from '../src/primitives/u256.ts'
import { fromBase64 } from '../src/privacy/base64.ts'
import { type DevNode, eventually, startDevNode } from './rpc/devNode.ts'
import { signPrivate } from './support/signPrivate.ts'

let folder: string
const nodes: DevNode[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-private-'))
})
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(options: Readonly<Record<string, string>> = {}): Promise<DevNode> {
  const node = await startDevNode({
    'data-path': folder,
    'rpc-http-api': 'ETH,EEA,PRIV',
    'min-gas-price': '0',
    'privacy-enabled': 'true',
    'privacy-manager-peer-port': '0',
    ...options,
  })
  nodes.push(node)
  return node
}

const account = bigIntToFixed(7n, 32)
/** Init code of a contract with one byte of code. */
const code = fromHex('0x600160005360016000f3')

async function create(node: DevNode, key: string, nonce: bigint): Promise<unknown> {
  const privateFrom = fromBase64(key)!
  const tx = { nonce, to: undefined, data: code, privateFrom, recipients: { privateFor: [privateFrom] } }
  const marker = await node.call('eea_sendRawTransaction', [toHex(signPrivate(tx, 1337n, account))])
  return eventually(() => node.call('priv_getTransactionReceipt', [marker]))
}

test('a node needs nothing but --privacy-enabled: it makes a key, keeps payloads and goes on after a restart', async () => {
  const first = await start()
  const key = readFileSync(join(folder, 'privacy.pub'), 'utf8')
  expect(statSync(join(folder, 'privacy.key')).mode & 0o777).toBe(0o600)
  const receipt = await create(first, key, 0n)
  expect(receipt).toMatchObject({ status: '0x1', privateFrom: key })
  const { commitmentHash } = receipt as { commitmentHash: string }
  await nodes.pop()!.stop()

  const again = await start()
  expect(readFileSync(join(folder, 'privacy.pub'), 'utf8')).toBe(key)
  expect(await again.call('priv_getTransactionReceipt', [commitmentHash])).toEqual(receipt)
  expect(await create(again, key, 1n)).toMatchObject({ status: '0x1' })
})

test('nothing is written where a file that the options name cannot be read', async () => {
  const missing = join(folder, 'missing')
  await expect(start({ 'privacy-public-key-file': missing })).rejects.toThrow(
    `--privacy-public-key-file: ${missing}: the file cannot be read`,
  )
  await expect(start({ 'privacy-manager-key-file': missing })).rejects.toThrow(`cannot read the key file ${missing}`)
  const key = join(folder, 'key.pub')
  writeFileSync(key, 'A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=')
  const tls = {
    'privacy-public-key-file': key,
    'privacy-tls-enabled': 'true',
    'privacy-tls-known-enclave-file': missing,
  }
  await expect(start(tls)).rejects.toThrow(`TLS of the private transaction manager: ${missing}: ENOENT`)
  expect(readdirSync(folder)).toEqual(['key.pub'])
})
