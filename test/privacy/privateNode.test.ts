import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Address, concatBytes } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { fromBase64 } from '../../src/privacy/enclave/base64.ts'
import { privacyPrecompile } from '../../src/privacy/sending/markers.ts'
import { type DevNode, eventually, richAddress, signed, startDevNode } from '../support/devNode.ts'
import { signPrivate } from '../support/signPrivate.ts'

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

/** Sends a private transaction that creates a contract; returns the hash of the marker. */
function send(node: DevNode, nonce: bigint, data = code): Promise<string> {
  const privateFrom = fromBase64(readFileSync(join(folder, 'privacy.pub'), 'utf8'))!
  const tx = { nonce, to: undefined, data, privateFrom, recipients: { privateFor: [privateFrom] } }
  return node.call('eea_sendRawTransaction', [toHex(signPrivate(tx, 1337n, account))])
}

async function create(node: DevNode, nonce: bigint): Promise<unknown> {
  const marker = await send(node, nonce)
  return eventually(() => node.call('priv_getTransactionReceipt', [marker]))
}

test('a node needs nothing but --privacy-enabled: it makes a key, keeps payloads and goes on after a restart', async () => {
  const first = await start()
  const key = readFileSync(join(folder, 'privacy.pub'), 'utf8')
  expect(statSync(join(folder, 'privacy.key')).mode & 0o777).toBe(0o600)
  const receipt = await create(first, 0n)
  expect(receipt).toMatchObject({ status: '0x1', privateFrom: key })
  const { commitmentHash } = receipt as { commitmentHash: string }
  await nodes.pop()!.stop()

  const again = await start()
  expect(readFileSync(join(folder, 'privacy.pub'), 'utf8')).toBe(key)
  expect(await again.call('priv_getTransactionReceipt', [commitmentHash])).toEqual(receipt)
  expect(await create(again, 1n)).toMatchObject({ status: '0x1' })
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

test('a public transaction that merely resembles a marker is none', async () => {
  const node = await start()
  const marker = await send(node, 0n)
  const { input: known } = await eventually(() =>
    node.call<{ input: string } | null>('eth_getTransactionByHash', [marker]),
  )
  const key = fromHex(known)
  const others: readonly (readonly [Address, Uint8Array])[] = [
    [hexToAddress(richAddress), key],
    [privacyPrecompile, key.slice(1)],
    [privacyPrecompile, concatBytes(key, Uint8Array.of(0))],
    [privacyPrecompile, new Uint8Array(0)],
    [privacyPrecompile, new Uint8Array(32)],
  ]
  for (const [i, [to, data]] of others.entries()) {
    const fields = { type: 0, chainId: 1337n, gasPrice: 1_000_000_000n, gasLimit: 100_000n, value: 0n } as const
    const { raw, hash } = signed({ ...fields, nonce: BigInt(i), to, data })
    await node.call('eth_sendRawTransaction', [raw])
    await eventually(() => node.call('eth_getTransactionReceipt', [hash]))
    for (const method of ['priv_getPrivateTransaction', 'priv_getTransactionReceipt'])
      expect(await node.call(method, [hash])).toBe(null)
  }
  expect(await node.call('priv_getTransactionReceipt', [marker])).toMatchObject({ status: '0x1' })
})

test('private code that never ends does not stop the node, and fails in the end', async () => {
  const node = await start()
  // JUMPDEST, and a jump back to it.
  const marker = await send(node, 0n, fromHex('0x5b600056'))
  const fields = { type: 0, chainId: 1337n, gasPrice: 1_000_000_000n, gasLimit: 100_000n, value: 1n } as const
  const { raw, hash } = signed({ ...fields, nonce: 0n, to: privacyPrecompile, data: new Uint8Array(0) })
  await node.call('eth_sendRawTransaction', [raw])
  await eventually(() => node.call('eth_getTransactionReceipt', [hash]))
  // Questions about the group say that it is behind, or wait.
  const receipt = await eventually(async () => (await node.send('priv_getTransactionReceipt', [marker])).result ?? null)
  expect(receipt).toMatchObject({ status: '0x0' })
  expect(await create(node, 0n)).toMatchObject({ status: '0x1' })
})
