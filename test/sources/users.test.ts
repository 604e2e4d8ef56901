import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/auth/passwords.ts'
import { type DevNode, startDevNode } from '../support/devNode.ts'
import { createSourceClient } from './client.ts'
import { inputOf, solcVersion } from './solidity.ts'

// Where users log in: who reads, who verifies, who gives ABIs.

const folder = mkdtempSync(join(tmpdir(), 'quoin-sources-'))
const permissions = {
  reader: ['eth:getCode'],
  verifier: ['eth:*', 'sources:verify'],
  sharer: ['eth:*', 'sources:share'],
  stranger: ['net:*'],
}
const password = 'a long password'
let node: DevNode
const tokens: Record<string, string> = {}

beforeAll(async () => {
  const users = await Promise.all(
    Object.entries(permissions).map(
      async ([name, list]) =>
        `[Users.${name}]\npassword = "${await hashPassword(password)}"\npermissions = ${JSON.stringify(list)}\n`,
    ),
  )
  writeFileSync(join(folder, 'users.toml'), users.join('\n'))
  node = await startDevNode({
    ...{ 'explorer-http-port': '0', 'explorer-sources-enabled': 'true', 'explorer-sources-open-abis': 'true' },
    ...{ 'rpc-http-authentication-enabled': 'true', 'rpc-ws-enabled': 'true' },
    'rpc-http-authentication-credentials-file': join(folder, 'users.toml'),
  })
  for (const username of Object.keys(permissions)) {
    const { json } = await createSourceClient(node.explorerUrl!).post('login', { username, password })
    tokens[username] = json['token'] as string
  }
})
afterAll(async () => {
  await node.stop()
  rmSync(folder, { recursive: true })
})

const address = `0x${'ab'.repeat(20)}`
const abi = [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'view' }]
const as = (name: string | undefined) =>
  createSourceClient(node.explorerUrl!, name ? { authorization: `Bearer ${tokens[name]}` } : {})

test.each([
  [undefined, 401, 401, 401],
  ['stranger', 401, 401, 401],
  ['reader', 200, 401, 401],
  ['verifier', 200, 400, 401],
  ['sharer', 200, 401, 200],
])('%s reads with %d, verifies with %d, gives an ABI with %d', async (name, reads, verifies, shares) => {
  const client = as(name)
  expect((await client.get('v2/contracts/1337')).status).toBe(reads)
  // The address has no code: whoever may verify is told so, or that the request is not whole.
  expect((await client.post(`v2/verify/1337/${address}`, {})).status).toBe(verifies)
  expect((await client.post('sources/abi', { address, abi })).status).toBe(shares)
})

test('an ABI that was given is there for all who read, until it is taken away', async () => {
  await as('sharer').post('sources/abi', { address, abi })
  const known = async () => (await as('reader').post('sources/known', { addresses: [address] })).json
  expect(await known()).toEqual({ [address]: { abi, givenAt: expect.any(String) } })
  await as('sharer').post('sources/abi', { address, abi: [] })
  expect(await known()).toEqual({})
  for (const bad of [[{ type: 'script' }], {}, [1], [{ type: 'function', name: 'x'.repeat(300_000) }]])
    expect((await as('sharer').post('sources/abi', { address, abi: bad })).status).toBe(400)
})

test("Etherscan's clients send their token as the key", async () => {
  const submission = {
    ...{ module: 'contract', action: 'verifysourcecode', contractaddress: address, contractname: 'C.sol:C' },
    ...{ sourceCode: JSON.stringify(inputOf('contract C {}')), codeformat: 'solidity-standard-json-input' },
    compilerversion: `v${solcVersion()}`,
  }
  const result = async (apikey: string) =>
    (await as(undefined).form({ ...submission, apikey })).json['result'] as string
  expect(await result('nonsense')).toMatch(/^Invalid API Key/)
  expect(await result(tokens['reader']!)).toMatch(/^Invalid API Key/)
  expect(await result(tokens['verifier']!)).toMatch(/^Unable to locate ContractCode/)
})
