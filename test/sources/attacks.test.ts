import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DevNode, eventually, startDevNode } from '../support/devNode.ts'
import { createSourceClient, type SourceClient } from './client.ts'
import { compile, deploy, head, inputOf, send, solcVersion } from './solidity.ts'

// Sources of somebody who wants something else: files of the machine, its memory, its time.

let node: DevNode
let client: SourceClient
let address: string
const text = 'contract C { function x() external pure returns (uint256) { return 7; } }'
beforeAll(async () => {
  node = await startDevNode({
    ...{ 'explorer-http-port': '0', 'explorer-sources-enabled': 'true' },
    'rpc-http-api': 'ETH,ANVIL',
  })
  client = createSourceClient(node.explorerUrl!)
  address = await deploy(node, compile(inputOf(text)).code)
})
afterAll(() => node.stop())

const files = ['/etc/passwd', 'file:///etc/passwd', '../../../../../../etc/passwd', 'https://example.com/C.sol']

test('files of the machine, and of others, are not read', async () => {
  const imports = files.map((path) => `import ${JSON.stringify(path)};\n`).join('')
  const settings = { remappings: ['x/=/etc/'] }
  const job = await client.verify(address, inputOf(`${imports} import "x/passwd"; ${text}`, settings))
  expect(job.json['error']['customCode']).toBe('compiler_error')
  expect(JSON.stringify(job.json)).toMatch(/not found|not supported/)
  expect(JSON.stringify(job.json)).not.toContain('root:')
})

test('sources may have any names, which are names of no files', async () => {
  const names = [...files, '__proto__', 'constructor']
  const contents = names.map((name, i) => [name, { content: `${head}contract N${i} {}` }] as const)
  const input = inputOf(text)
  const sources = { ...input.sources, ...Object.fromEntries(contents) }
  const job = await client.verify(address, { ...input, sources })
  expect(job.json['contract']).toMatchObject({ runtimeMatch: 'exact_match' })
  const kept = await client.get(`v2/contract/1337/${address}?fields=sources`)
  expect(Object.keys(kept.json['sources'])).toEqual(['C.sol', ...names])
})

test('metadata leave nothing behind in the node', async () => {
  const settings = '{"compilationTarget":{"C.sol":"C"},"libraries":{"__proto__:polluted":"0x01"}}'
  const body = `{"metadata":{"compiler":{"version":"${solcVersion()}"},"language":"Solidity","sources":{},"settings":${settings}},"sources":{}}`
  await client.post(`v2/verify/metadata/1337/${address}`, body)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test.each([
  ['JSON of many levels', `{"a":${'['.repeat(6 << 20)}`, 'invalid_json'],
  ['a long version', { compilerVersion: `${'1'.repeat(1 << 20)}.1.1+commit.73712a01` }, 'invalid_parameter'],
  ['a long name', { contractIdentifier: `${'C'.repeat(1 << 20)}:C` }, 'invalid_parameter'],
])('%s is refused at once', async (_, body, code) => {
  const given = { stdJsonInput: inputOf(text), compilerVersion: solcVersion(), contractIdentifier: 'C.sol:C' }
  const reply = await client.post(
    `v2/verify/1337/0x${'ab'.repeat(20)}`,
    typeof body === 'string' ? body : { ...given, ...body },
  )
  expect([reply.status, reply.json['customCode']]).toEqual([400, code])
  expect(reply.json['message'].length).toBeLessThan(300)
})

/** Creates a contract that does nothing. */
const stopCode = '6001600c60003960016000f300'

test('of a hundred contracts at once ten are taken, and the chain goes on', async () => {
  const body = { stdJsonInput: inputOf(text), compilerVersion: solcVersion(), contractIdentifier: 'C.sol:C' }
  const place = (i: number) => `0x${(0x1000 + i).toString(16).padStart(40, '0')}`
  for (let i = 0; i < 100; i++) await node.call('anvil_setCode', [place(i), '0x00'])
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, i) => client.post(`v2/verify/1337/${place(i)}`, body)),
  )
  const taken = replies.filter(({ status }) => status === 202)
  const refused = replies.filter(({ status }) => status === 429)
  expect(taken.length + refused.length).toBe(100)
  expect(taken.length).toBeGreaterThanOrEqual(10)
  expect(refused[0]!.json['message']).toContain('10 contracts waiting')
  const before = await node.call<string>('eth_blockNumber')
  await send(node, stopCode)
  await eventually(async () => ((await node.call<string>('eth_blockNumber')) > before ? true : null))
})
