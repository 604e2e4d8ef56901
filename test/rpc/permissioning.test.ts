import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { runNode } from '../../src/node/runNode.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { curve } from '../../src/primitives/secp256k1.ts'
import { systemClock } from '../../src/system/clock.ts'
import { type DevNode, signed, startDevNode } from '../support/devNode.ts'
import { createManualClock } from '../support/manualClock.ts'
import { keyNumber } from '../support/netHarness.ts'
import { createSilentLogs } from '../support/silentLogs.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-permissioning-'))
const file = join(folder, 'permissions_config.toml')
const [sender, other] = devAccounts.map(({ address }) => `0x${address}`) as [string, string]
const enode = (n: number, host = '127.0.0.1') =>
  `enode://${toHex(curve.publicKey(keyNumber(n))).slice(2)}@${host}:30303`
const options = {
  'rpc-http-api': 'ADMIN,ETH,PERM,TXPOOL',
  'p2p-port': '0',
  'p2p-interface': '127.0.0.1',
  'discovery-enabled': 'false',
  'permissions-accounts-config-file-enabled': 'true',
  'permissions-accounts-config-file': file,
  'permissions-nodes-config-file-enabled': 'true',
  'permissions-nodes-config-file': file,
}
const text = `# kept\naccounts-allowlist = ["${sender}"]\nnodes-allowlist = ["${enode(1)}"]\n`

function signedBy(index: number) {
  const to = hexToAddress(`0x${'dd'.repeat(20)}`)
  const price = { gasPrice: 10n ** 10n, gasLimit: 21_000n }
  const tx = { type: 0, chainId: 1337n, nonce: 0n, to, value: 1n, data: new Uint8Array(), ...price } as const
  return signed(tx, fromHex(devAccounts[index]!.privateKey))
}

let node: DevNode
const clock = createManualClock(1_700_000_000_000)
beforeAll(async () => {
  writeFileSync(file, text)
  node = await startDevNode(options, clock)
})
afterAll(async () => {
  await node.stop()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  writeFileSync(file, text)
  await node.call('perm_reloadPermissionsFromFile')
})

const errorOf = async (method: string, ...params: unknown[]) => (await node.send(method, params)).error?.message

/** The rows of the table of errors that are about permissioning, each on its own. */
describe('an error is what the specification says for', () => {
  test('perm_addAccountsToAllowlist with an account already listed', async () => {
    expect(await errorOf('perm_addAccountsToAllowlist', [sender])).toBe('Cannot add an existing account to allowlist')
  })
  test('perm_addAccountsToAllowlist with an invalid address', async () => {
    expect(await errorOf('perm_addAccountsToAllowlist', ['0x12'])).toBe('Request contains an invalid account')
  })
  test('perm_removeAccountsFromAllowlist with an account not listed', async () => {
    expect(await errorOf('perm_removeAccountsFromAllowlist', [other])).toBe(
      'Cannot remove an absent account from allowlist',
    )
  })
  test('perm_removeAccountsFromAllowlist with an invalid address', async () => {
    expect(await errorOf('perm_removeAccountsFromAllowlist', ['x'])).toBe('Request contains an invalid account')
  })
  test('perm_addNodesToAllowlist with a node already listed', async () => {
    expect(await errorOf('perm_addNodesToAllowlist', [enode(1)])).toBe('Cannot add an existing node to allowlist')
  })
  test('perm_addNodesToAllowlist with an invalid enode URL', async () => {
    expect(await errorOf('perm_addNodesToAllowlist', ['enode://12@127.0.0.1:1'])).toBe(
      'Request contains an invalid node',
    )
  })
  test('perm_removeNodesFromAllowlist with a node not listed', async () => {
    expect(await errorOf('perm_removeNodesFromAllowlist', [enode(2)])).toBe(
      'Cannot remove an absent node from allowlist',
    )
  })
  test('perm_removeNodesFromAllowlist with an invalid enode URL', async () => {
    expect(await errorOf('perm_removeNodesFromAllowlist', ['nonsense'])).toBe('Request contains an invalid node')
  })
  test('perm_addNodesToAllowlist with a domain name while DNS support is disabled', async () => {
    const message = await errorOf('perm_addNodesToAllowlist', [enode(2, 'localhost')])
    expect(message).toBe('Request contains an invalid node')
  })
  test('perm_reloadPermissionsFromFile with an invalid configuration file', async () => {
    writeFileSync(file, 'accounts-allowlist=[[')
    expect(await errorOf('perm_reloadPermissionsFromFile')).toMatch(/^Error reloading permissions file\./)
    expect(await node.call('perm_getAccountsAllowlist')).toEqual([sender])
    expect(await node.call('perm_getNodesAllowlist')).toEqual([enode(1)])
  })
})

describe('strings of a request', () => {
  test.each([
    '"]\nnodes-allowlist=["',
    `${'0x'}${'00'.repeat(20)}"]#`,
    `${'0x'}${'00'.repeat(20)}\n`,
    `${'0x'}${'00'.repeat(20)}\u0000`,
  ])('do not get into the file as TOML: account %j', async (account) => {
    expect(await errorOf('perm_addAccountsToAllowlist', [account])).toBe('Request contains an invalid account')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test.each(['"]#', '\n', '?discport=1"]', '#"]', '/"]', '?x=1', '\u0000'])(
    'do not get into the file as TOML: node with %j',
    async (end) => {
      expect(await errorOf('perm_addNodesToAllowlist', [enode(2) + end])).toBe('Request contains an invalid node')
      expect(readFileSync(file, 'utf8')).toBe(text)
    },
  )
})

describe('a change', () => {
  test('is in the file, beside its comments', async () => {
    await node.call('perm_addAccountsToAllowlist', [[other]])
    await node.call('perm_removeNodesFromAllowlist', [[enode(1)]])
    expect(readFileSync(file, 'utf8')).toBe(
      `# kept\naccounts-allowlist = ["${sender}","${other}"]\nnodes-allowlist = []\n`,
    )
  })

  test('lets accounts send, or takes their transactions out of the pool', async () => {
    const tx = signedBy(1)
    const refused = { code: -32007, message: 'Sender account not authorized to send transactions' }
    expect((await node.send('eth_sendRawTransaction', [tx.raw])).error).toEqual(refused)
    await node.call('perm_addAccountsToAllowlist', [[other]])
    expect(await node.call('eth_sendRawTransaction', [tx.raw])).toBe(tx.hash)
    const mine = await node.call('eth_sendRawTransaction', [signedBy(0).raw])
    await node.call('perm_removeAccountsFromAllowlist', [[other]])
    const left = await node.call<{ hash: string }[]>('txpool_besuTransactions')
    expect(left.map(({ hash }) => hash)).toEqual([mine])
  })

  test('lets nodes be added as peers', async () => {
    expect(await errorOf('admin_addPeer', enode(2))).toBe('Cannot add a non-permitted node as a peer')
    await node.call('perm_addNodesToAllowlist', [[enode(2)]])
    expect(await node.call('admin_addPeer', [enode(2)])).toBe(true)
  })
})

test('a node does not start with a file that it cannot use', async () => {
  for (const [broken, reason] of [
    ['accounts-allowlist=[]', 'nodes-allowlist config option missing'],
    ['accounts-allowlist=[]\nnodes-allowlist=["nonsense"]', "Missing 'enode' scheme."],
    ['', 'Empty TOML result'],
  ] as const) {
    const path = join(folder, 'broken.toml')
    writeFileSync(path, broken)
    const given = { ...options, 'permissions-accounts-config-file': path, 'permissions-nodes-config-file': path }
    const flags = new Map(Object.entries({ ...given, 'data-path': join(folder, 'data'), 'rpc-http-port': '0' }))
    const starting = runNode(resolveConfig(flags, {}).config, createSilentLogs(), systemClock)
    await expect(starting).rejects.toThrow(reason)
  }
})
