import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { encodeRecord } from '../../test/support/localKeys.ts'
import { CliError } from '../config/fault.ts'
import { settleAll } from '../config/option.ts'
import { options } from '../config/options.ts'
import { formatEnode } from '../net/enode.ts'
import { endpointEntries, formatRecord } from '../net/enr.ts'
import { networkOptionsOf } from '../node/options/networkOptions.ts'
import { curve } from '../primitives/secp256k1.ts'

const dir = mkdtempSync(join(tmpdir(), 'quoin-peers-'))
afterAll(() => rmSync(dir, { recursive: true }))

const key = new Uint8Array(32).fill(1)
const enode = { id: curve.publicKey(key), ip: '10.0.0.1', tcpPort: 1, udpPort: 2 }
const networkOf = (texts: Record<string, string>) =>
  networkOptionsOf(settleAll(options, new Map(Object.entries(texts))), dir)

describe('options for peers', () => {
  test('as they are when nothing is given', () => {
    expect(networkOf({})).toEqual({
      host: '127.0.0.1',
      interface: '0.0.0.0',
      port: 30303,
      maxPeers: 25,
      maxInboundShare: 0.6,
      randomPriority: false,
      discovery: true,
      bootnodes: [],
      staticNodes: [],
      banned: [],
      upnp: undefined,
    })
  })

  test('as given', () => {
    const file = join(dir, 'nodes.json')
    writeFileSync(file, JSON.stringify([formatEnode(enode)]))
    const record = formatRecord(encodeRecord(1n, endpointEntries(enode), key))
    const given = networkOf({
      bootnodes: `${formatEnode(enode)},${record}`,
      'static-nodes-file': file,
      'banned-node-ids': `0x${Buffer.from(enode.id).toString('hex')}`,
      'remote-connections-limit-enabled': 'false',
      'nat-method': 'none',
      'p2p-host': '::1',
    })
    expect(given).toMatchObject({ bootnodes: [enode, enode], staticNodes: [enode], banned: [enode.id], host: '::1' })
    expect(given.maxInboundShare).toBe(undefined)
  })

  test('bootnodes of the genesis file count where no option names any', () => {
    const other = { ...enode, ip: '10.0.0.2' }
    const record = formatRecord(encodeRecord(1n, endpointEntries(enode), key))
    const withGenesis = (bootnodes: readonly string[], texts: Record<string, string> = {}) =>
      networkOptionsOf(settleAll(options, new Map(Object.entries(texts))), dir, { bootnodes }).bootnodes
    expect(withGenesis([formatEnode(enode), record])).toEqual([enode, enode])
    expect(withGenesis([formatEnode(enode)], { bootnodes: formatEnode(other) })).toEqual([other])
    expect(() => withGenesis(['enode://12@1.2.3.4:5'])).toThrow('discovery.bootnodes of the genesis file: ')
  })

  test.each([
    ['none', {}, undefined],
    ['auto', {}, undefined],
    ['upnpp2ponly', { 'rpc-http-enabled': 'true', 'rpc-http-host': '0.0.0.0' }, []],
    ['UPNP', { 'rpc-http-enabled': 'false', 'rpc-http-host': '0.0.0.0' }, []],
    ['UPNP', { 'rpc-http-enabled': 'true', 'rpc-http-host': '127.0.0.1' }, []],
    ['UPNP', { 'rpc-http-enabled': 'true', 'rpc-http-host': '0.0.0.0', 'rpc-http-port': '8600' }, [8600]],
  ])('--nat-method=%s with %j forwards %j beside the ports of p2p', (method, more, ports) => {
    expect(networkOf({ 'nat-method': method, ...more }).upnp?.more.map(({ port }) => port)).toEqual(ports)
  })

  test('static-nodes.json in the data path is read', () => {
    writeFileSync(join(dir, 'static-nodes.json'), JSON.stringify([formatEnode(enode)]))
    expect(networkOf({}).staticNodes).toEqual([enode])
    rmSync(join(dir, 'static-nodes.json'))
  })

  test.each([
    ['bootnodes', 'enode://12@1.2.3.4:5', 'exactly 128 hexadecimal characters'],
    ['bootnodes', 'enr:AAAA', "Invalid value for option '--bootnodes'"],
    ['bootnodes', formatRecord(encodeRecord(1n, new Map(), key)), 'has no IP address'],
    ['banned-node-ids', 'ab', 'exactly 128 hexadecimal digits'],
    ['p2p-host', 'example.org', "'example.org' is not an IP address"],
    ['nat-method', 'x', 'expected one of [UPNP, UPNPP2PONLY, DOCKER, KUBERNETES, AUTO, NONE]'],
    ['remote-connections-max-percentage', '101', 'above the maximum'],
  ])('--%s=%s is refused', (name, text, reason) => {
    expect(() => networkOf({ [name]: text })).toThrow(CliError)
    expect(() => networkOf({ [name]: text })).toThrow(reason)
  })
})
