import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { encryptKeystoreJsonSync } from 'ethers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { resolveConfig } from '../../config/resolveConfig.ts'
import { cliqueGenesisExtraData } from '../../consensus/clique/extraData.ts'
import { devAccounts } from '../../forks/devGenesis.ts'
import { type RunningNode, runNode } from '../../node/runNode.ts'
import { toHex } from '../../primitives/hex.ts'
import { curve, privateKeyToAddress } from '../../primitives/secp256k1.ts'
import { systemClock } from '../../system/clock.ts'

const blocks = 40
const signer = new Uint8Array(32).fill(1)
const nodeKey = new Uint8Array(32).fill(2)
const genesis = {
  config: { chainId: 5, berlinBlock: 0, clique: { period: 2, epoch: 30000 } },
  gasLimit: '0x1000000',
  difficulty: '0x1',
  extraData: toHex(cliqueGenesisExtraData([privateKeyToAddress(signer)])),
  alloc: { [devAccounts[0].address]: { balance: '0xffffffffffff' } },
}
const enode = `enode://${toHex(curve.publicKey(signer)).slice(2)}@127.0.0.1:30303`

let cli: ReturnType<typeof createCliHarness>
let source: RunningNode
let url: string
let head: { hash: string; stateRoot: string }

/** Requests that the source answers before it seems to be dead; all if undefined. */
let patience: number | undefined
let answered = 0
/** Changes an answer of the source. */
let change = (answer: string) => answer
const front = createServer(async (request, response) => {
  if (patience !== undefined && answered >= patience) return void request.socket.destroy()
  answered++
  const body = await text(request)
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(sourceUrl(), { method: 'POST', headers, body })
  response.end(change(await answer.text()))
})
const sourceUrl = () => `http://127.0.0.1:${source.places.get('jsonrpc')!.port}`

// A chain of a Clique network, served by a node that does not sign.
beforeAll(async () => {
  cli = createCliHarness()
  const { privateKey } = devAccounts[0]
  const tx = { secretKey: privateKey, gasLimit: '0x5208', gasPrice: '0xff', value: '0x1', to: devAccounts[1].address }
  const planned = Array.from({ length: blocks }, (_, i) => ({ number: i + 1, transactions: i % 2 ? [tx] : [] }))
  cli.write('genesis.json', JSON.stringify(genesis))
  cli.write('signer', toHex(signer))
  cli.write('blocks.json', JSON.stringify({ blocks: planned }))
  const network = ['--data-path={dir}/source', '--genesis-file={dir}/genesis.json']
  const json = ['blocks', 'import', '--format=JSON', '--start-time=1000', '{dir}/blocks.json']
  const made = await cli.run([...network, '--node-private-key-file={dir}/signer', ...json])
  expect(made.stderr).toBe('')
  await cli.run([...network, 'blocks', 'export', '--to={dir}/chain.rlp'])
  const flags = {
    'data-path': join(cli.dir, 'source'),
    'genesis-file': join(cli.dir, 'genesis.json'),
    'p2p-enabled': 'false',
    'rpc-http-enabled': 'true',
    'rpc-http-port': '0',
  }
  source = await runNode(resolveConfig(new Map(Object.entries(flags)), {}).config, createSilentLogs(), systemClock)
  const question = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] }
  const answer = await fetch(sourceUrl(), { method: 'POST', body: JSON.stringify(question) })
  head = ((await answer.json()) as { result: typeof head }).result
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
})
afterEach(() => {
  patience = undefined
  change = (answer) => answer
})
afterAll(async () => {
  front.closeAllConnections()
  front.close()
  await source.stop()
  cli.remove()
})

/** A data folder as Besu leaves it; returns what is in it. */
function besuFolder(name: string): string {
  cli.write(`${name}/key`, `${toHex(nodeKey)}\n`)
  cli.write(`${name}/static-nodes.json`, JSON.stringify([enode]))
  cli.write(`${name}/DATABASE_METADATA.json`, '{"version":1}')
  cli.write(`${name}/database/CURRENT`, 'MANIFEST-1\n')
  cli.write(`${name}/database/MANIFEST-1`, '')
  return contentsOf(name)
}

/** Names, sizes and times of all files. */
function contentsOf(name: string): string {
  const folder = join(cli.dir, name)
  const files = readdirSync(folder, { recursive: true }).map(String).sort()
  return files
    .map((file) => `${file} ${statSync(join(folder, file)).size} ${statSync(join(folder, file)).mtimeMs}`)
    .join()
}

const headLine = () =>
  `head is block ${blocks} (${head.hash}); executing every block led to its state root ${head.stateRoot}`

test('a folder of Besu that runs: everything from there, nothing written there', async () => {
  besuFolder('a/besu')
  cli.write('a/besu/besu.ports', `#comment\ndiscovery=30303\njson-rpc=${new URL(url).port}\np2p=30303\n`)
  cli.write('a/genesis.json', JSON.stringify(genesis))
  const before = contentsOf('a')
  const { code, stdout, stderr } = await cli.run([
    ...['--data-path={dir}/new-a', '--rpc-http-enabled', '--identity=a&b'],
    ...['migrate', '--from-besu={dir}/a/besu'],
  ])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`${blocks} blocks copied from ${url} in`)
  expect(stdout).toContain(headLine())
  expect(stdout).toContain(
    `  quoin --data-path=${cli.dir}/new-a --rpc-http-enabled=true --identity='a&b' --genesis-file=${cli.dir}/new-a/genesis.json\n`,
  )
  expect(cli.read('new-a/key')).toBe(toHex(nodeKey))
  expect(statSync(join(cli.dir, 'new-a/key')).mode & 0o777).toBe(0o600)
  expect(JSON.parse(cli.read('new-a/static-nodes.json'))).toEqual([enode])
  expect(JSON.parse(cli.read('new-a/genesis.json'))).toEqual(genesis)
  expect(contentsOf('a')).toBe(before)
})

test('a folder of geth and a file that it exported', async () => {
  cli.write('g/geth/nodekey', toHex(nodeKey).slice(2))
  cli.write('g/geth/chaindata/CURRENT', '')
  const before = contentsOf('g')
  const args = ['--data-path={dir}/new-g', '--genesis-file={dir}/genesis.json', 'migrate', '--from-geth={dir}/g']
  const { code, stdout, stderr } = await cli.run([...args, '--blocks-from={dir}/chain.rlp'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(headLine())
  expect(stdout).toContain(`  quoin --data-path=${cli.dir}/new-g --genesis-file=${cli.dir}/genesis.json\n`)
  expect(cli.read('new-g/key')).toBe(toHex(nodeKey))
  expect(contentsOf('g')).toBe(before)
})

describe('a folder of geth that runs', () => {
  /** geth's IPC: each line is a request, and each answer a line. */
  const ipc = createNetServer((socket) => {
    createInterface(socket).on('line', async (body) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await (await fetch(sourceUrl(), { method: 'POST', headers, body })).text()
      socket.write(`${body.includes('net_version') ? '{"jsonrpc":"2.0","id":1,"result":"4711"}' : answer}\n`)
    })
    socket.on('error', () => undefined)
  })
  beforeAll(async () => {
    cli.write('r/data/geth/nodekey', toHex(nodeKey).slice(2))
    cli.write('r/data/geth/chaindata/CURRENT', '')
    cli.write('r/genesis.json', JSON.stringify(genesis))
    cli.write('r/data/keystore/UTC--1', keystoreOf(signer))
    cli.write('r/password', 'secret\n')
    const node = `[Node]\nDataDir = "data"\nIPCPath = "own.ipc"\n[Node.P2P]\nStaticNodes = ["${enode}"]\n`
    cli.write('r/config.toml', `[Eth]\nNetworkId = 17\n${node}`)
    await new Promise<void>((resolve) => ipc.listen(join(cli.dir, 'r/data/own.ipc'), resolve))
  })
  afterAll(() => void ipc.close())

  test('key, static nodes of its configuration file, blocks over IPC, network ID', async () => {
    const { code, stdout, stderr } = await cli.run(['--data-path={dir}/new-r', 'migrate', '--from-geth={dir}/r/data'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`${blocks} blocks copied from ${cli.dir}/r/data/own.ipc in`)
    expect(stdout).toContain(headLine())
    expect(stdout).toContain('--password-file takes its key, without it the node only follows')
    expect(stdout).toContain(`--genesis-file=${cli.dir}/new-r/genesis.json --network-id=4711\n`)
    expect(cli.read('new-r/key')).toBe(toHex(nodeKey))
    expect(JSON.parse(cli.read('new-r/static-nodes.json'))).toEqual([enode])
  })

  test('the key of the account that signs', async () => {
    const migrate = ['migrate', '--from-geth={dir}/r/data', '--password-file={dir}/r/password']
    const { code, stdout, stderr } = await cli.run(['--data-path={dir}/new-s', ...migrate])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).not.toContain('only follows')
    expect(cli.read('new-s/key')).toBe(toHex(signer))
    cli.write('r/data/keystore/UTC--2', keystoreOf(nodeKey))
    const two = await cli.run(['--data-path={dir}/new-t', ...migrate])
    expect([two.code, two.stderr]).toEqual([1, expect.stringContaining('name the file of one by --keystore')])
    const chosen = [...migrate, '--keystore={dir}/r/data/keystore/UTC--2', '--blocks-from={dir}/chain.rlp']
    const one = await cli.run(['--data-path={dir}/new-t', ...chosen])
    expect(one.stderr).toBe('')
    // geth does not answer for the file: what its configuration says counts.
    expect(one.stdout).toContain('--network-id=17')
    expect(cli.read('new-t/key')).toBe(toHex(nodeKey))
  })

  test('a configuration file of another folder, or of another program, is not its own', async () => {
    cli.write('o/data/geth/nodekey', toHex(nodeKey).slice(2))
    cli.write('o/config.toml', `[Node]\nDataDir = "other"\n[Node.P2P]\nStaticNodes = ["${enode}"]\n`)
    cli.write('o/geth.toml', 'max-peers=1\n')
    const args = ['--data-path={dir}/new-o', '--genesis-file={dir}/genesis.json', 'migrate', '--from-geth={dir}/o/data']
    const { code, stdout } = await cli.run(args)
    expect(code).toBe(0)
    expect(stdout).not.toContain('static nodes')
  })
})

function keystoreOf(key: Uint8Array): string {
  const account = { address: toHex(privateKeyToAddress(key)), privateKey: toHex(key) }
  return encryptKeystoreJsonSync(account, 'secret', { scrypt: { N: 2, r: 8, p: 1 } })
}

test('a migration whose source goes away goes on when it is run again', async () => {
  const args = ['--data-path={dir}/new-h', '--genesis-file={dir}/genesis.json', 'migrate', `--from-besu=${url}`]
  answered = 0
  patience = 20
  const first = await cli.run(args)
  expect(first.code).toBe(1)
  expect(first.stderr).toContain(`Unable to import blocks from ${url}: `)
  patience = undefined
  const second = await cli.run(args)
  expect([second.code, second.stderr]).toEqual([0, ''])
  expect(second.stdout).toContain(headLine())
  const copied = Number(/^(\d+) blocks copied/m.exec(second.stdout)?.[1])
  expect(copied).toBeGreaterThan(0)
  expect(copied).toBeLessThan(blocks)
  const third = await cli.run(args)
  expect(third.stdout).toContain(`0 blocks copied from ${url}`)
  expect(third.stdout).toContain(headLine())
})

test('no node runs on the folder: key and static nodes are taken', async () => {
  besuFolder('b')
  const args = ['--data-path={dir}/new-b', '--genesis-file={dir}/genesis.json', 'migrate', '--from-besu={dir}/b']
  const { code, stdout } = await cli.run(args)
  expect(code).toBe(0)
  expect(stdout).toContain('no blocks were copied; the node gets them from its peers')
  expect(readdirSync(join(cli.dir, 'new-b')).sort()).toEqual(['key', 'static-nodes.json'])
})

describe('a source that lies', () => {
  test.each([
    ['a state root', /"stateRoot":"0x..../, '"stateRoot":"0x0000', 'but the node says'],
    ['a value of a transaction', /"value":"0x1"/, '"value":"0x2"', 'is invalid'],
    ['no block', /"result":\{"number":"0x3".*$/, '"result":null}', 'the node does not have it'],
  ])('%s', async (name, pattern, other, message) => {
    change = (answer) => answer.replace(pattern, other)
    const path = `--data-path={dir}/lie-${name.replaceAll(' ', '-')}`
    const { code, stderr } = await cli.run([path, '--genesis-file={dir}/genesis.json', 'migrate', `--from-besu=${url}`])
    expect(code).toBe(1)
    expect(stderr).toContain(`Unable to import blocks from ${url}: block `)
    expect(stderr).toContain(message)
  })

  test('another network', async () => {
    cli.write('other.json', JSON.stringify({ ...genesis, timestamp: '0x1' }))
    const args = ['--data-path={dir}/lie', '--genesis-file={dir}/other.json', 'migrate', `--from-besu=${url}`]
    const { code, stderr } = await cli.run(args)
    expect(code).toBe(1)
    expect(stderr).toContain('it belongs to another network: its genesis block is')
  })
})

describe('wrong usage writes nothing', () => {
  test.each([
    [[], 2, 'One of --from-besu and --from-geth is needed.'],
    [['--from-besu={dir}/c', '--from-geth={dir}/c'], 2, 'One of --from-besu and --from-geth is needed.'],
    [['--from-geth={dir}/c', '--keystore={dir}/k'], 2, '--keystore needs --password-file.'],
    [['--from-besu={dir}/none'], 1, '{dir}/none is not a folder, nor an http:// or https:// URL'],
    [['--from-besu={dir}/empty'], 1, 'is not a data folder of Besu: it has neither a database nor a key'],
    [['--from-geth={dir}/deep/er/c'], 1, 'is a data folder of Besu: use --from-besu'],
    [['--from-besu={dir}/deep/er/c', '--blocks-from={dir}/none'], 1, 'Could not find file to import: {dir}/none'],
    [['--from-besu={dir}/deep/er/c'], 2, "name it by --genesis-file before 'migrate'"],
  ])('%j', async (args, code, message) => {
    besuFolder('deep/er/c')
    mkdirSync(join(cli.dir, 'empty'), { recursive: true })
    const path = '--data-path={dir}/wrong'
    const outcome = await cli.run([path, 'migrate', ...args])
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(message)])
    expect(cli.exists('wrong')).toBe(false)
  })

  test.each(['{dir}/deep/er/c', '{dir}/deep/er/c/quoin', '{dir}/deep/er'])('--data-path=%s', async (path) => {
    const before = besuFolder('deep/er/c')
    const genesisFile = '--genesis-file={dir}/genesis.json'
    const { code, stderr } = await cli.run([
      `--data-path=${path}`,
      genesisFile,
      'migrate',
      '--from-besu={dir}/deep/er/c',
    ])
    expect([code, stderr]).toEqual([1, expect.stringContaining('have to be folders apart')])
    expect(contentsOf('deep/er/c')).toBe(before)
  })

  test('another key in the data path', async () => {
    besuFolder('d')
    cli.write('new-d/key', toHex(signer))
    const args = ['--data-path={dir}/new-d', '--genesis-file={dir}/genesis.json', 'migrate', '--from-besu={dir}/d']
    const { code, stderr } = await cli.run(args)
    expect([code, stderr]).toEqual([1, expect.stringContaining('holds another key than')])
    expect(readFileSync(join(cli.dir, 'new-d/key'), 'utf8')).toBe(toHex(signer))
  })
})
