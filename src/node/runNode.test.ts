import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../test/support/freePort.ts'
import { createRecordedLogs } from '../../test/support/recordedLogs.ts'
import { createSilentLogs } from '../../test/support/silentLogs.ts'
import { resolveConfig } from '../config/resolveConfig.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { encodeRlp } from '../primitives/rlp.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import { type Clock, systemClock } from '../system/clock.ts'
import { runNode } from './runNode.ts'

let folder: string
let taken: Server
let port: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-node-'))
  taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  port = String((taken.address() as AddressInfo).port)
})
afterEach(() => {
  taken.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A clock that knows which timers are waiting. */
function createCountingClock(): Clock & { readonly waiting: ReadonlySet<object> } {
  const waiting = new Set<object>()
  return {
    waiting,
    now: systemClock.now,
    after(milliseconds, action) {
      const timer = {}
      waiting.add(timer)
      const cancel = systemClock.after(milliseconds, () => {
        waiting.delete(timer)
        action()
      })
      return () => {
        waiting.delete(timer)
        cancel()
      }
    },
  }
}

function start(options: Readonly<Record<string, string>>, clock: Clock = systemClock) {
  const ports = { 'rpc-http-port': '0', 'rpc-ws-port': '0', 'graphql-http-port': '0', 'metrics-port': '0' }
  const peers = { 'p2p-port': '0', 'p2p-interface': '127.0.0.1', 'discovery-enabled': 'false' }
  const flags = new Map(Object.entries({ 'data-path': folder, ...ports, ...peers, ...options }))
  return runNode(resolveConfig(flags, {}).config, createSilentLogs(), clock)
}

const services = [
  ['rpc-http', 'jsonrpc'],
  ['rpc-ws', 'ws'],
  ['graphql-http', 'graphql'],
  ['metrics', 'metrics'],
] as const

test.each(services)(
  'a node whose %s port is in use stops all of it, and can start afterwards',
  async (name, service) => {
    const clock = createCountingClock()
    const enabled = { [`${name}-enabled`]: 'true' }
    await expect(start({ ...enabled, [`${name}-port`]: port }, clock)).rejects.toThrow(
      `Port(s) '[${port}]' already in use. Check for other processes using the port(s), or choose another with --${name}-port.`,
    )
    expect(clock.waiting.size).toBe(0)
    const node = await start(enabled, clock)
    expect([...node.places.keys()]).toContain(service)
    await node.stop()
    expect(clock.waiting.size).toBe(0)
  },
)

test.each(services)('a node whose %s host is not there says so', async (name) => {
  const clock = createCountingClock()
  // From the range for documentation: no machine has it.
  const options = { [`${name}-enabled`]: 'true', [`${name}-host`]: '192.0.2.1' }
  await expect(start(options, clock)).rejects.toThrow(
    `Cannot listen on 192.0.2.1:0: EADDRNOTAVAIL. See --${name}-host and --${name}-port.`,
  )
  expect(clock.waiting.size).toBe(0)
})

test('a node whose port for peers is in use stops all of it', async () => {
  const clock = createCountingClock()
  await expect(start({ 'p2p-port': port }, clock)).rejects.toThrow(
    `Port(s) '[${port}]' already in use (TCP). Check for other processes using the port(s), or choose another with --p2p-port.`,
  )
  expect(clock.waiting.size).toBe(0)
})

test('a node whose port for discovery is in use stops all of it', async () => {
  const clock = createCountingClock()
  const udp = createSocket('udp4')
  const free = await freePort()
  udp.bind(free, '127.0.0.1')
  await once(udp, 'listening')
  try {
    await expect(start({ 'p2p-port': String(free), 'discovery-enabled': 'true' }, clock)).rejects.toThrow(
      `Port(s) '[${free}]' already in use (UDP)`,
    )
    expect(clock.waiting.size).toBe(0)
  } finally {
    udp.close()
  }
})

test('a node whose interface for peers is not there says so', async () => {
  await expect(start({ 'p2p-interface': '192.0.2.1' })).rejects.toThrow(
    'Cannot listen for peers on 192.0.2.1:0: EADDRNOTAVAIL. See --p2p-interface and --p2p-port.',
  )
})

test('a node that cannot start leaves the saved transactions alone', async () => {
  const file = join(folder, 'txpool.dump')
  writeFileSync(file, 'saved before')
  const options = { 'tx-pool-enable-save-restore': 'true', 'tx-pool-save-file': file, 'rpc-http-port': port }
  await expect(start(options)).rejects.toThrow('already in use')
  expect(readFileSync(file, 'utf8')).toBe('saved before')
})

test('a key file that does not exist is refused before anything is written', async () => {
  const missing = join(folder, 'nope')
  await expect(start({ 'node-private-key-file': missing })).rejects.toThrow(
    `${missing}: the private key file does not exist. Correct --node-private-key-file, or create the file.`,
  )
  expect(existsSync(join(folder, 'key'))).toBe(false)
  expect(existsSync(join(folder, 'database'))).toBe(false)
})

test('a node tells at its start who it is and what it serves, also when it has made its key', async () => {
  const log = createRecordedLogs()
  const ports = { 'rpc-http-port': '0', 'rpc-ws-port': '0', 'p2p-port': '0', 'rpc-ws-enabled': 'true' }
  const apis = { 'rpc-ws-api': 'ETH,DEBUG' }
  const options = { 'data-path': folder, ...ports, ...apis, 'p2p-interface': '127.0.0.1', 'dev-fork': 'london' }
  const { config } = resolveConfig(new Map(Object.entries(options)), {})
  const node = await runNode(config, log, systemClock)
  await node.stop()
  const { address, path } = log.fields('generated a new node key') as { address: string; path: string }
  expect(path).toBe(join(folder, 'key'))
  expect(log.fields('starting')).toMatchObject({ network: 'dev', networkId: 2018, dataPath: folder })
  expect(log.fields('ws listens')).toMatchObject({ apis: ['ETH', 'DEBUG'] })
  expect(log.fields('jsonrpc listens')?.url).toBe(`http://127.0.0.1:${node.places.get('jsonrpc')!.port}`)
  expect(log.fields('node started')).toMatchObject({
    address,
    chainId: 1337,
    genesis: '0x2f2a939c2cdd8918be11a55a1e7db412861ed477ed927d8f122b55ccd0f8bbcb',
    enode: expect.stringMatching(/^enode:\/\/[0-9a-f]{128}@127\.0\.0\.1:\d+$/),
    head: 0,
  })
})

test('a node of a network with validators tells whether it is one, and which keys of its genesis file have no effect', async () => {
  const genesisFile = join(folder, 'genesis.json')
  const key = '0x'.padEnd(66, '01')
  const validator = toHex(privateKeyToAddress(fromHex(key)))
  const extraData = toHex(encodeRlp([new Uint8Array(32), [fromHex(validator)], [], new Uint8Array(0), []]))
  const config = { chainId: 7, shangaiTime: 0, qbft: { blockperiodseconds: 1 } }
  writeFileSync(genesisFile, JSON.stringify({ config, gasLimit: '0x1000000', difficulty: '0x1', extraData, alloc: {} }))
  writeFileSync(join(folder, 'mine'), key)
  for (const [keyFile, said] of [
    ['mine', `node started: ${validator} is a validator, one of 1`],
    [undefined, ' is not a validator; the network has 1'],
  ] as const) {
    const log = createRecordedLogs()
    const flags = new Map([
      ['data-path', folder],
      ['genesis-file', genesisFile],
      ['p2p-enabled', 'false'],
    ])
    if (keyFile) flags.set('node-private-key-file', join(folder, keyFile))
    const node = await runNode(resolveConfig(flags, {}).config, log, systemClock)
    await node.stop()
    expect(log.lines().find((line) => line.includes('node started'))).toContain(said)
    expect(log.lines()).toContain(
      'warn genesis file: config.shangaitime is unknown and has no effect; did you mean shanghaiTime?',
    )
  }
})

test('the process id is in its file while the node runs', async () => {
  const file = join(folder, 'pid')
  const node = await start({ 'pid-path': file, 'data-path': join(folder, 'data') })
  expect(readFileSync(file, 'utf8')).toBe(String(process.pid))
  await node.stop()
  expect(existsSync(file)).toBe(false)
})

test.each([
  ['clique', { blockperiodseconds: 1 }],
  ['ethash', {}],
])(
  'a node of a network with %s is refused where it would keep too few states to follow a reorganisation',
  async (engine, settings) => {
    const genesisFile = join(folder, 'genesis.json')
    const extraData = `0x${'00'.repeat(32)}${'11'.repeat(20)}${'00'.repeat(65)}`
    const config = { chainId: 7, berlinBlock: 0, [engine]: settings }
    writeFileSync(genesisFile, JSON.stringify({ gasLimit: '0x1000000', difficulty: '0x1', extraData, config }))
    const options = { 'genesis-file': genesisFile }
    await expect(start({ ...options, 'history-blocks': '511' })).rejects.toThrow(
      '--history-blocks=511: blocks of this network are not final, and a node that has deleted the states behind a ' +
        'reorganisation can never follow it: choose at least 512, or 0 to keep all',
    )
    for (const enough of ['0', '512']) await (await start({ ...options, 'history-blocks': enough })).stop()
  },
)

test('a validator of a network whose blocks are final may keep as few states as it likes', async () => {
  const genesisFile = join(folder, 'genesis.json')
  const extraData = toHex(encodeRlp([new Uint8Array(32), [new Uint8Array(20).fill(1)], [], new Uint8Array(0), []]))
  const config = { chainId: 7, berlinBlock: 0, qbft: { blockperiodseconds: 1 } }
  writeFileSync(genesisFile, JSON.stringify({ gasLimit: '0x1000000', difficulty: '0x1', extraData, config }))
  await (await start({ 'genesis-file': genesisFile, 'history-blocks': '2' })).stop()
})
