import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DevNode, startDevNode } from '../support/devNode.ts'
import { createSourceClient, type SourceClient } from './client.ts'
import { compile, deploy, inputOf, solcVersion } from './solidity.ts'

// What is not verified, and what nobody gets an answer to.

let node: DevNode
let client: SourceClient
let address: string
const text =
  'contract C { function x() external pure returns (uint256) { return 3; } } abstract contract Part { function f() external virtual; }'
const input = inputOf(text, { optimizer: { enabled: true, runs: 200 } })
beforeAll(async () => {
  node = await startDevNode({ 'explorer-http-port': '0', 'explorer-sources-enabled': 'true' })
  client = createSourceClient(node.explorerUrl!)
  address = await deploy(node, compile(input).code)
})
afterAll(() => node.stop())

const same = { optimizer: { enabled: true, runs: 200 } }
test.each([
  ['other code', inputOf(text.replace('3', '4'), same), {}, 'no_match'],
  ['the same with other settings', inputOf(text, { optimizer: { enabled: false } }), {}, 'no_match'],
  ['another contract', input, { contractIdentifier: 'C.sol:D' }, 'contract_not_found_in_compiler_output'],
  ['an abstract contract', input, { contractIdentifier: 'C.sol:Part' }, 'compiled_bytecode_is_zero'],
  ['sources with an error', inputOf(`${text} oops`), {}, 'compiler_error'],
  ['imports that are not there', inputOf(`import '/etc/passwd'; ${text}`), {}, 'compiler_error'],
  ['a compiler that is not there', input, { compilerVersion: '0.8.1+commit.df193b15' }, 'unsupported_compiler_version'],
  [
    'a compiler of another commit',
    input,
    { compilerVersion: solcVersion().slice(0, -8) + '00000000' },
    'unsupported_compiler_version',
  ],
])('%s is refused', async (_, sources, more, code) => {
  const { status, json } = await client.verify(address, sources, more)
  expect([status, json['isJobCompleted'], json['error']['customCode']]).toEqual([200, true, code])
  expect(json['contract']['match']).toBeNull()
  expect((await client.get(`v2/contract/1337/${address}`)).status).toBe(404)
})

test('an address without code is refused', async () => {
  const { json } = await client.verify(`0x${'34'.repeat(20)}`, input)
  expect(json['error']).toMatchObject({
    customCode: 'contract_not_deployed',
    message: expect.stringContaining('does not have a contract deployed'),
  })
})

test.each([
  ['another chain', 'v2/verify/1/ADDRESS', {}, 400, 'unsupported_chain'],
  ['no JSON', 'v2/verify/1337/ADDRESS', '{', 400, 'invalid_json'],
  ['nothing', 'v2/verify/1337/ADDRESS', {}, 400, 'invalid_parameter'],
  [
    'Vyper',
    'v2/verify/1337/ADDRESS',
    { stdJsonInput: { language: 'Vyper', sources: { a: { content: '' } } } },
    400,
    'unsupported_language',
  ],
  [
    'sources to be fetched',
    'v2/verify/1337/ADDRESS',
    { stdJsonInput: { language: 'Solidity', sources: { a: { urls: ['/etc/passwd'] } } } },
    400,
    'invalid_parameter',
  ],
  [
    'half a version',
    'v2/verify/1337/ADDRESS',
    { stdJsonInput: input, compilerVersion: '0.8.30' },
    400,
    'invalid_parameter',
  ],
  [
    'a file without a name',
    'v2/verify/1337/ADDRESS',
    { stdJsonInput: input, compilerVersion: '0.8.30+commit.73712a01', contractIdentifier: 'C' },
    400,
    'invalid_parameter',
  ],
  [
    'metadata of nothing',
    'v2/verify/metadata/1337/ADDRESS',
    { metadata: { compiler: { version: '1' } } },
    400,
    'invalid_parameter',
  ],
  [
    'too many at once',
    'sources/known',
    { addresses: Array(65).fill(`0x${'11'.repeat(20)}`) },
    400,
    'invalid_parameter',
  ],
  ['an ABI of a stranger', 'sources/abi', { address: `0x${'11'.repeat(20)}`, abi: [] }, 401, 'unauthorized'],
])('%s is refused at once', async (_, path, body, status, code) => {
  const reply = await client.post(path.replace('ADDRESS', address), body)
  expect([reply.status, reply.json['customCode']]).toEqual([status, code])
  expect(reply.json['message']).toMatch(/\w+ \w+/)
})

test('pages of others may not ask, nor those that rebind names', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://evil.example' }
  const { status } = await client.post('api', 'module=contract&action=getabi', headers)
  expect(status).toBe(403)
  const { port } = new URL(node.explorerUrl!)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET /v2/contracts/1337 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
  let answer = ''
  for await (const piece of socket) answer += piece
  expect(answer).toMatch(/^HTTP\/1.1 403/)
})

test('what is too long is not read', async () => {
  const { status } = await client.post('v2/verify/1337/' + address, ' '.repeat(13 << 20))
  expect(status).toBe(413)
})

test.each(['v2/verify/00000000-0000-0000-0000-000000000000', 'v2/contract/1337/0x12', 'v2/nothing', 'sources/nothing'])(
  'nothing is at %s',
  async (path) => {
    expect((await client.get(path)).status).toBe(404)
  },
)
