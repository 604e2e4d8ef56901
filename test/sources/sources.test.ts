import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DevNode, startDevNode } from '../support/devNode.ts'
import { createSourceClient, type SourceClient } from './client.ts'
import { compile, deploy, head, inputOf, send, solcVersion } from './solidity.ts'

// The APIs at the explorer of a node, with the compiler of npm in a process of its own.

let node: DevNode
let client: SourceClient
beforeAll(async () => {
  node = await startDevNode({
    'explorer-http-port': '0',
    'explorer-sources-enabled': 'true',
    'rpc-http-api': 'ETH,ANVIL',
  })
  client = createSourceClient(node.explorerUrl!)
})
afterAll(() => node.stop())

let count = 0
/** A contract like no other, with its constructor's argument behind its code. */
function makeText(body = ''): string {
  return `contract C { uint256 public x; ${body} constructor(uint256 first) { x = first + ${++count}; } }`
}
const five = '5'.padStart(64, '0')
const checksum = /^0x[0-9a-fA-F]{40}$/

test('Sourcify: standard JSON gives an exact match, which is found by its fields', async () => {
  const input = inputOf(makeText())
  const address = await deploy(node, compile(input).code + five)
  const path = `v2/contract/1337/${address}`
  const before = await client.get(path)
  expect([before.status, before.json]).toEqual([
    404,
    { match: null, creationMatch: null, runtimeMatch: null, chainId: '1337', address: expect.stringMatching(checksum) },
  ])
  const job = await client.verify(address, input)
  expect(job.json).toMatchObject({ isJobCompleted: true, contract: { match: 'exact_match' } })
  expect(job.json).not.toHaveProperty('error')
  const minimal = await client.get(path)
  expect(minimal.json).toEqual({
    ...{ match: 'exact_match', creationMatch: 'exact_match', runtimeMatch: 'exact_match', chainId: '1337' },
    ...{ address: expect.stringMatching(checksum), verifiedAt: expect.any(String), matchId: expect.any(String) },
  })
  const fields = 'sources,compilation.name,creationBytecode.transformationValues,deployment,signatures.function'
  const some = await client.get(`${path}?fields=${fields}`)
  expect(some.json).toMatchObject({
    sources: input.sources,
    compilation: { name: 'C' },
    creationBytecode: { transformationValues: { constructorArguments: `0x${five}` } },
    deployment: { transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/), transactionIndex: '0' },
    signatures: { function: [{ signature: 'x()', signatureHash4: '0x0c55699c' }] },
  })
  const all = await client.get(`${path}?fields=all`)
  const without = await client.get(`${path}?omit=proxyResolution,compilation.compilerSettings`)
  expect(all.json['proxyResolution']).toEqual({ isProxy: false, proxyType: null, implementations: [] })
  expect(Object.keys(all.json).filter((name) => !(name in without.json))).toEqual(['proxyResolution'])
  expect(without.json['compilation']).not.toHaveProperty('compilerSettings')
  expect((await client.get(`${path}?fields=nothing`)).json['customCode']).toBe('invalid_parameter')
  const again = await client.verify(address, input)
  expect([again.status, again.json['customCode']]).toEqual([409, 'already_verified'])
  expect((await client.get(`v2/contract/all-chains/${address}`)).json['results']).toEqual([minimal.json])
  expect((await client.get('v2/contracts/1337?limit=1')).json['results']).toEqual([minimal.json])
})

test('Sourcify: metadata with its sources, under other names; a match that is not exact gets better', async () => {
  const input = inputOf(makeText())
  const { code, metadata } = compile(input)
  const address = await deploy(node, code + five)
  const other = inputOf(input.sources['C.sol']!.content.replace(head, '/* another comment */'))
  expect((await client.verify(address, other)).json['contract']).toMatchObject({ match: 'match' })
  expect((await client.verify(address, other)).json['error']).toMatchObject({ customCode: 'already_verified' })
  const post = (sources: object) =>
    client.post(`v2/verify/metadata/1337/${address}`, { metadata: JSON.parse(metadata), sources })
  const missing = await post({ 'x.sol': 'contract D {}' })
  expect([missing.status, missing.json['customCode']]).toEqual([400, 'missing_or_invalid_source'])
  const job = await client.done(await post({ anything: input.sources['C.sol']!.content.replaceAll('\n', '\r\n') }))
  expect(job.json['contract']).toMatchObject({ match: 'exact_match' })
})

test('Sourcify: a contract that another one created, with its creation found by a trace; and one alike', async () => {
  const made = `contract Made { uint256 immutable y; constructor(uint256 z) { y = z; } function get() external view returns (uint256) { return y + ${++count}; } }`
  const input = inputOf(
    `${made} contract C { event Is(address); function make() external returns (address made) { made = address(new Made(7)); } }`,
  )
  const factory = await deploy(node, compile(input).code)
  const make = toFunctionSelector('function make()')
  const created: string[] = []
  for (let i = 0; i < 2; i++) {
    created.push(`0x${(await node.call<string>('eth_call', [{ to: factory, data: make }, 'latest'])).slice(-40)}`)
    await send(node, make, factory)
  }
  const [first, second] = created as [string, string]
  const job = await client.verify(first, input, { contractIdentifier: 'C.sol:Made' })
  expect(job.json['contract']).toMatchObject({ creationMatch: 'exact_match', runtimeMatch: 'exact_match' })
  const alike = await client.done(await client.post(`v2/verify/similarity/1337/${second}`, {}))
  expect(alike.json['contract']).toMatchObject({ match: 'exact_match' })
  const none = await client.done(await client.post(`v2/verify/similarity/1337/${factory}`, {}))
  expect(none.json['error']).toMatchObject({ customCode: 'no_similar_match_found' })
})

test('Etherscan: verified as forge and Hardhat do, and read by others', async () => {
  const input = inputOf(makeText())
  const address = await deploy(node, compile(input).code + five)
  const contract = { module: 'contract', address }
  const query = (fields: Record<string, string>) => client.get(`api?${new URLSearchParams(fields)}`)
  const notVerified = 'Contract source code not verified'
  expect((await query({ ...contract, action: 'getabi' })).json).toEqual({
    status: '0',
    message: 'NOTOK',
    result: notVerified,
  })
  expect((await query({ ...contract, action: 'getsourcecode' })).json['result'][0]).toMatchObject({
    SourceCode: '',
    ABI: notVerified,
  })
  const submission = {
    ...{ module: 'contract', action: 'verifysourcecode', contractaddress: address, sourceCode: JSON.stringify(input) },
    ...{ codeformat: 'solidity-standard-json-input', contractname: 'C.sol:C', compilerversion: `v${solcVersion()}` },
  }
  const finish = async (fields: Record<string, string>): Promise<unknown> => {
    const { status, result } = (await client.form(fields)).json as { status: string; result: string }
    if (status !== '1') return result
    for (;;) {
      const { json } = await query({ module: 'contract', action: 'checkverifystatus', guid: result })
      if (json['result'] !== 'Pending in queue') return json['result']
    }
  }
  expect(await finish({ ...submission, constructorArguements: five.replace('5', '6') })).toContain(
    'Fail - Unable to verify. The contract was created with other constructor arguments',
  )
  expect(await finish({ ...submission, constructorArguements: five })).toBe('Pass - Verified')
  expect(await finish(submission)).toBe('Contract source code already verified')
  expect(JSON.parse((await query({ ...contract, action: 'getabi' })).json['result'])).toHaveLength(2)
  const [source] = (await query({ ...contract, action: 'getsourcecode' })).json['result']
  expect(source).toMatchObject({
    ContractName: 'C',
    CompilerVersion: `v${solcVersion()}`,
    ConstructorArguments: five,
    Proxy: '0',
  })
  expect(JSON.parse(source.SourceCode.slice(1, -1))).toEqual(input)
  const creation = await query({ module: 'contract', action: 'getcontractcreation', contractaddresses: address })
  expect(creation.json['result']).toMatchObject([{ contractAddress: address }])
  expect(await finish({ ...submission, contractaddress: `0x${'12'.repeat(20)}` })).toMatch(
    /^Unable to locate ContractCode at/,
  )
  expect((await query({ module: 'contract', action: 'nothing' })).json['result']).toContain(
    'Missing Or invalid Action name',
  )
})

test('Etherscan: a single file, with its libraries and its settings beside it', async () => {
  const text = makeText('function f() external pure returns (uint256) { return L.twice(4); }')
  const library = 'library L { function twice(uint256 x) external pure returns (uint256) { return 2 * x; } }'
  const optimizer = { enabled: true, runs: 999 }
  const plain = inputOf(`${library} ${text}`, { optimizer })
  const at = await deploy(node, compile(plain, 'L').code)
  const linked = { ...plain, settings: { optimizer, libraries: { 'C.sol': { L: at } } } }
  const address = await deploy(node, compile(linked).code + five)
  const { json } = await client.form({
    ...{ module: 'contract', action: 'verifysourcecode', contractaddress: address, codeformat: 'solidity-single-file' },
    ...{ sourceCode: plain.sources['C.sol']!.content, contractname: 'C', compilerversion: `v${solcVersion()}` },
    ...{ optimizationUsed: '1', runs: '999', libraryname1: 'L', libraryaddress1: at },
  })
  const job = await client.done({ status: 200, json: { verificationId: json['result'] } })
  expect(job.json['contract']).toMatchObject({ runtimeMatch: expect.stringMatching(/match/) })
})

test('a contract whose code is another one since is not verified any more', async () => {
  const input = inputOf(makeText())
  const address = await deploy(node, compile(input).code + five)
  await client.verify(address, input)
  await node.call('anvil_setCode', [address, '0x6001'])
  expect((await client.get(`v2/contract/1337/${address}`)).status).toBe(404)
  expect((await client.post('sources/known', { addresses: [address] })).json).toEqual({})
})

test('proxies are followed', async () => {
  const implementation = await deploy(node, compile(inputOf(makeText())).code + five)
  const minimal = `363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`
  const clone = await deploy(node, `3d602d80600a3d3981f3${minimal}`)
  const { json } = await client.get(`api?module=contract&action=getsourcecode&address=${clone}`)
  expect(json['result'][0]).toMatchObject({
    Proxy: '1',
    Implementation: expect.stringMatching(new RegExp(implementation, 'i')),
  })
})
