import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkConfig } from '../../src/config/checkConfig.ts'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { fromBase64, toBase64 } from '../../src/privacy/enclave/base64.ts'
import { type DevNode, startDevNode } from '../support/devNode.ts'
import { type PrivateFields, signPrivate } from '../support/signPrivate.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-refusals-'))
const page = readFileSync(join(packageRoot, 'docs/privacy.md'), 'utf8')
const privacy = { 'min-gas-price': '0', 'privacy-enabled': 'true', 'privacy-manager-peer-port': '0' }
const account = bigIntToFixed(7n, 32)
const unknownGroup = toBase64(new Uint8Array(32).fill(9))
const contract = `0x${'7c'.repeat(20)}`

let node: DevNode
let key: string
beforeAll(async () => {
  node = await startDevNode({ ...privacy, 'data-path': folder, 'rpc-http-api': 'ETH,EEA,PRIV' })
  key = readFileSync(join(folder, 'privacy.pub'), 'utf8')
})
afterAll(async () => {
  await node.stop()
  rmSync(folder, { recursive: true, force: true })
})

function raw(fields: Partial<PrivateFields>, chainId = 1337n): string {
  const privateFrom = fromBase64(key)!
  const tx = {
    nonce: 0n,
    to: undefined,
    data: new Uint8Array(),
    privateFrom,
    recipients: { privateFor: [privateFrom] },
  }
  return toHex(signPrivate({ ...tx, ...fields }, chainId, account))
}

const sent = (fields: () => Partial<PrivateFields>, chainId?: bigint) => ({
  methods: ['eea_sendRawTransaction', 'priv_distributeRawTransaction'],
  params: () => [raw(fields(), chainId)],
})

/** What is refused, as the page for users says it. */
const refusals: Readonly<
  Record<string, { methods: readonly string[]; params: () => unknown[]; error: readonly [number, string] }>
> = {
  eea_sendTransaction: { methods: ['eea_sendTransaction'], params: () => [{}], error: [-32601, 'Method not found'] },
  'an unrestricted transaction': {
    ...sent(() => ({ restriction: 'unrestricted' })),
    error: [-50100, 'Unsupported private transaction type'],
  },
  'a transfer of value': {
    ...sent(() => ({ value: 1n })),
    error: [-50100, 'Private transactions cannot transfer value'],
  },
  'a call with value': {
    methods: ['priv_call'],
    params: () => [unknownGroup, { to: contract, value: '0x1' }, 'latest'],
    error: [-50100, 'Private transactions cannot transfer value'],
  },
  'another key in privateFrom': {
    ...sent(() => ({ privateFrom: new Uint8Array(32).fill(1) })),
    error: [-50100, 'Private from does not match enclave public key'],
  },
  'a transaction for another chain': { ...sent(() => ({}), 1n), error: [-32000, 'Wrong chainId'] },
  'an unknown recipient': {
    ...sent(() => ({ recipients: { privateFor: [new Uint8Array(32).fill(2)] } })),
    error: [-50200, 'Recipient not found for key:'],
  },
}

describe('refused is', () => {
  test.each(Object.entries(refusals))('%s', async (_, { methods, params, error: [code, message] }) => {
    for (const method of methods) expect((await node.send(method, params())).error).toEqual({ code, message })
    expect(page).toContain(message)
  })

  test('a node that prunes', () => {
    const message = 'Pruning cannot be enabled with privacy.'
    const flags = new Map(Object.entries({ ...privacy, 'history-blocks': '100' }))
    expect(() => checkConfig(resolveConfig(flags, {}))).toThrow(message)
    expect(page).toContain(message)
  })

  test('a data path whose history was pruned before', async () => {
    const data = join(folder, 'pruned')
    const options = { 'data-path': data, 'rpc-http-api': 'ETH,EEA,PRIV,HARDHAT', 'min-gas-price': '0' }
    const before = await startDevNode({ ...options, 'history-blocks': '2' })
    await before.call('hardhat_mine', ['0x64'])
    const isPruned = async () => (await before.send('eth_getBalance', [contract, '0x1'])).result === null
    while (!(await isPruned())) await new Promise((resolve) => setTimeout(resolve, 10))
    await before.stop()
    await expect(startDevNode({ ...options, ...privacy })).rejects.toThrow(
      /^Private transactions go on at block 1, but the blocks or states before block \d+ are not here: they were pruned .*: start with an empty --data-path/,
    )
    expect(page).toContain('Private transactions go on at block')
  })
})
