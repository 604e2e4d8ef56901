import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NetworkPlan, nodeFolder, openNetworkPlan, portsOf } from '../../src/cli/network/networkPlan.ts'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { examine } from '../../src/doctor/examine.ts'
import { type RunningNode, runNode } from '../../src/node/runNode.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { curve } from '../../src/primitives/secp256k1.ts'
import { systemClock } from '../../src/system/clock.ts'
import { freePort } from '../support/freePort.ts'
import { createSilentLogs } from '../support/silentLogs.ts'

/** The id of a node that is no validator. */
const stranger = toHex(curve.publicKey(new Uint8Array(32).fill(3))).slice(2)

let dir: string
let plan: NetworkPlan
let peer: RunningNode

/** Options of one of the two validators of a network. */
function configOf(node: number, more: Readonly<Record<string, string>> = {}) {
  const { p2p, http } = portsOf(plan, node)
  const flags = {
    'genesis-file': join(dir, 'genesis.json'),
    'data-path': nodeFolder(dir, node),
    'p2p-interface': '127.0.0.1',
    'p2p-port': String(p2p),
    'discovery-enabled': 'false',
    'rpc-http-enabled': 'true',
    'rpc-http-port': String(http),
    'min-gas-price': '0',
  }
  return resolveConfig(new Map(Object.entries({ ...flags, ...more })), {}).config
}

const linesOf = async (...args: Parameters<typeof configOf>) =>
  (await examine(configOf(...args))).map(({ level, text, advice }) => `${level}: ${text}${advice && ` → ${advice}`}`)

beforeAll(async () => {
  dir = join(mkdtempSync(join(tmpdir(), 'quoin-doctor-')), 'net')
  const basePort = await freePort()
  plan = openNetworkPlan(dir, { validators: 2, consensus: 'qbft', period: 1, basePort })
  peer = await runNode(configOf(0), createSilentLogs(), systemClock)
  // The other one has a database too.
  await (await runNode(configOf(1, { 'p2p-enabled': 'false' }), createSilentLogs(), systemClock)).stop()
})
afterAll(async () => {
  await peer.stop()
  rmSync(join(dir, '..'), { recursive: true, force: true })
})

test('a node that is ready to start', async () => {
  const lines = await linesOf(1)
  // How full this disk is does not matter here.
  expect(lines.filter((line) => !line.startsWith('ok') && !line.includes('MiB free'))).toEqual([])
  expect(lines).toContain('ok: all ports are free')
  expect(lines).toContain('ok: this node is one of 2 validators')
  expect(lines).toContain('ok: 2 of 2 validators answer or are this node')
  expect(lines.join('\n')).toMatch(/ok: peer \w{8}…@127.0.0.1:\d+ \(quoin.*\) is on the same chain/)
})

test('a peer with another genesis file or network id', async () => {
  const genesis = JSON.parse(readFileSync(join(dir, 'genesis.json'), 'utf8')) as { nonce: string }
  const file = join(dir, 'other.json')
  writeFileSync(file, JSON.stringify({ ...genesis, timestamp: '0x1' }))
  const other = join(dir, 'other')
  const more = { 'static-nodes-file': join(nodeFolder(dir, 1), 'static-nodes.json') }
  const lines = await linesOf(1, { ...more, 'genesis-file': file, 'data-path': other })
  expect(lines.join('\n')).toMatch(
    /error: peer .* has the genesis block 0x\w+, this node 0x\w+ → use the same genesis file/,
  )
  const id = await linesOf(1, { 'network-id': '99' })
  expect(id.join('\n')).toMatch(/error: peer .* has network id \d+, this node 99 → use the same --network-id/)
  const data = await linesOf(1, { 'genesis-file': file })
  expect(data.join('\n')).toMatch(/error: the database belongs to another network/)
})

test('a peer that does not answer, and a port that is taken', async () => {
  const enode = plan.nodes[0]!.enode.replace(/:\d+$/, `:${await freePort()}`)
  const nodes = join(dir, 'nodes.json')
  writeFileSync(nodes, JSON.stringify([enode]))
  const lines = await linesOf(1, { 'static-nodes-file': nodes, 'rpc-http-port': String(portsOf(plan, 0).http) })
  expect(lines.join('\n')).toMatch(
    /error: peer \w{8}…@127.0.0.1:\d+ does not answer \(ECONNREFUSED\) → check that it runs/,
  )
  expect(lines.join('\n')).toMatch(
    /error: port \d+ \(--rpc-http-port\) is taken by another program → stop that program/,
  )
})

test('a validator that is named and down is to be started, one that is not named is to be named', async () => {
  const { address } = plan.nodes[0]!
  const nodes = join(dir, 'nodes.json')
  writeFileSync(nodes, JSON.stringify([plan.nodes[0]!.enode.replace(/:\d+$/, `:${await freePort()}`)]))
  const text = 'error: 1 of 2 validators answer or are this node'
  expect(await linesOf(1, { 'static-nodes-file': nodes })).toContain(
    `${text} → start ${address}, whose enode URLs do not answer`,
  )
  writeFileSync(nodes, JSON.stringify([`enode://${stranger}@127.0.0.1:1`]))
  expect(await linesOf(1, { 'static-nodes-file': nodes })).toContain(
    `${text} → no enode URL is known for ${address}; add them to static-nodes.json`,
  )
})

test('a data path that was made with another chain id', async () => {
  const genesis = JSON.parse(readFileSync(join(dir, 'genesis.json'), 'utf8')) as { config: object }
  const file = join(dir, 'renumbered.json')
  writeFileSync(file, JSON.stringify({ ...genesis, config: { ...genesis.config, chainId: 9999 } }))
  expect((await linesOf(1, { 'genesis-file': file })).join('\n')).toMatch(
    /error: the data path was made with chain id \d+; the genesis file says 9999 → correct the genesis file/,
  )
  await expect(runNode(configOf(1, { 'genesis-file': file }), createSilentLogs(), systemClock)).rejects.toThrow(
    /made with chain id \d+; the genesis file says 9999/,
  )
})

test('a key that others can read, and one that is missing', async () => {
  const key = join(nodeFolder(dir, 1), 'key')
  chmodSync(key, 0o644)
  expect((await linesOf(1)).join('\n')).toMatch(/warning: other users can read the key .* \(mode 644\) → chmod 600 /)
  chmodSync(key, 0o600)
  const lines = await linesOf(1, { 'node-private-key-file': `${key}.none` })
  expect(lines.join('\n')).toMatch(/error: the key file .*key.none does not exist → correct --node-private-key-file/)
})
