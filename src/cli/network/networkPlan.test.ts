import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTempFolder } from '../../../test/support/tempStore.ts'
import { createChainSpec } from '../../forks/chainSpec.ts'
import { devAccounts } from '../../forks/devGenesis.ts'
import { parseGenesisFile } from '../../forks/genesisFile.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { privateKeyToAddress } from '../../primitives/secp256k1.ts'
import { decodePrivateTx, privateSenderOf } from '../../privacy/sending/privateTx.ts'
import { extraDataCodecs } from '../extraDataTypes.ts'
import { type LocalNetworkOptions, networkEngines, networkForks, openNetworkPlan, portsOf } from './networkPlan.ts'
import { networkHeading } from './networkSummary.ts'

const nothing: LocalNetworkOptions = {
  validators: undefined,
  consensus: undefined,
  period: undefined,
  basePort: undefined,
}
const genesisIn = (dir: string) => readFileSync(join(dir, 'genesis.json'), 'utf8')

test('without wishes: four QBFT validators, whose keys are in the genesis file', () =>
  withTempFolder((folder) => {
    const dir = join(folder, 'net')
    const { nodes, consensus, period } = openNetworkPlan(dir, nothing)
    expect([nodes.length, consensus, period]).toEqual([4, 'qbft', 1])
    const keys = nodes.map((_, i) => fromHex(readFileSync(join(dir, `node${i}/key`), 'utf8')))
    expect(keys.map((key) => toHex(privateKeyToAddress(key)))).toEqual(nodes.map(({ address }) => address))
    const { extraData } = JSON.parse(genesisIn(dir)) as { extraData: string }
    const listed = extraDataCodecs.QBFT_EXTRA_DATA.decode(fromHex(extraData)).validators.map(toHex)
    expect(listed).toEqual(nodes.map(({ address }) => address).sort())
    if (process.platform !== 'win32') expect(statSync(join(dir, 'node0/key')).mode & 0o077).toBe(0)
  }))

test.each(networkEngines)('the genesis file of %s can be run', (consensus) =>
  withTempFolder((folder) => {
    const dir = join(folder, 'net')
    openNetworkPlan(dir, { ...nothing, consensus, validators: 3, period: 5 })
    const spec = createChainSpec(parseGenesisFile(genesisIn(dir)))
    expect(spec.consensus).toMatchObject({ kind: consensus, blockPeriodSeconds: 5 })
  }),
)

test.each(['qbft', 'ibft2'] as const)('%s may make several blocks a second, which a network keeps', (consensus) =>
  withTempFolder((folder) => {
    const dir = join(folder, 'net')
    const plan = openNetworkPlan(dir, { ...nothing, consensus, validators: 2, period: 0.25 })
    expect(openNetworkPlan(dir, nothing)).toEqual(plan)
    expect(networkHeading(dir, plan, '', '', 120)).toContain('a block every 250 ms')
    expect(createChainSpec(parseGenesisFile(genesisIn(dir))).consensus).toMatchObject({
      blockPeriodSeconds: 1,
      blockPeriodMilliseconds: 250,
      requestTimeoutSeconds: 1,
    })
    expect(() => openNetworkPlan(dir, { ...nothing, period: 1 })).toThrow(
      expect.objectContaining({ at: fault(/has --block-period=250ms: .* for 1s/) }),
    )
  }),
)

test('Clique has whole seconds', () =>
  withTempFolder((folder) => {
    const make = () => openNetworkPlan(join(folder, 'net'), { ...nothing, consensus: 'clique', period: 0.25 })
    expect(make).toThrow(expect.objectContaining({ at: fault(/whole seconds: 250ms/) }))
  }))

test('the rules are those of today, or those of the fork that is asked for', () =>
  withTempFolder((folder) => {
    const forkOf = (name: string, wanted: Partial<LocalNetworkOptions>) => {
      openNetworkPlan(join(folder, name), { ...nothing, validators: 1, ...wanted })
      const spec = createChainSpec(parseGenesisFile(genesisIn(join(folder, name))))
      return spec.rulesAt({ number: 1n, timestamp: 1n }).fork
    }
    expect(networkEngines.map((consensus) => forkOf(consensus, { consensus }))).toEqual(['prague', 'prague', 'prague'])
    expect(networkForks.map((fork) => forkOf(fork, { fork }))).toEqual(networkForks)
    expect(() => openNetworkPlan(join(folder, 'osaka'), { ...nothing, fork: 'cancun' })).toThrow(
      expect.objectContaining({ at: fault(/--fork=osaka/) }),
    )
  }))

test('every node knows all others, at ports of their own', () =>
  withTempFolder((folder) => {
    const dir = join(folder, 'net')
    const plan = openNetworkPlan(dir, { ...nothing, basePort: 20_000 })
    for (const [i, { enode }] of plan.nodes.entries()) {
      expect(enode).toContain(`@127.0.0.1:${portsOf(plan, i).p2p}`)
      const known = JSON.parse(readFileSync(join(dir, `node${i}/static-nodes.json`), 'utf8'))
      expect(known).toEqual(plan.nodes.filter((_, other) => other !== i).map((node) => node.enode))
    }
    const ports = plan.nodes.flatMap((_, i) => Object.values(portsOf(plan, i)))
    expect(new Set(ports).size).toBe(ports.length)
  }))

test('a network that is there goes on as it is', () =>
  withTempFolder((folder) => {
    const dir = join(folder, 'net')
    const plan = openNetworkPlan(dir, { ...nothing, validators: 2, consensus: 'clique' })
    expect(openNetworkPlan(dir, nothing)).toEqual(plan)
    expect(openNetworkPlan(dir, { ...nothing, validators: 2 })).toEqual(plan)
  }))

test('a network of an earlier version names the base fee of its first block, which was none, and its system calls', () =>
  withTempFolder((folder) => {
    const dir = join(folder, 'net')
    openNetworkPlan(dir, { ...nothing, validators: 1 })
    const file = join(dir, 'genesis.json')
    const genesis = JSON.parse(readFileSync(file, 'utf8'))
    expect(genesis.baseFeePerGas).toBe('0x0')
    writeFileSync(file, JSON.stringify({ ...genesis, baseFeePerGas: undefined }))
    openNetworkPlan(dir, nothing)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(genesis)
    const { depositContractAddress, mergeNetSplitBlock, ...config } = genesis.config
    writeFileSync(file, JSON.stringify({ ...genesis, config: { ...config, mergeNetsplitBlock: mergeNetSplitBlock } }))
    openNetworkPlan(dir, nothing)
    const named = { ...config, mergeNetSplitBlock: 0, quoin: { systemCalls: true } }
    expect(JSON.parse(readFileSync(file, 'utf8')).config).toEqual(named)
  }))

test('a network gets private transactions when it is made, or later, and keeps them', () =>
  withTempFolder((folder) => {
    const [dir, later] = [join(folder, 'net'), join(folder, 'later')]
    const plan = openNetworkPlan(dir, { ...nothing, validators: 2, privacy: true })
    expect(plan.privacy).toBe(true)
    openNetworkPlan(later, { ...nothing, validators: 2, privacy: false })
    expect(openNetworkPlan(later, { ...nothing, privacy: false }).privacy).toBeUndefined()
    expect(openNetworkPlan(later, { ...nothing, privacy: true }).privacy).toBe(true)
    for (const place of [dir, later]) {
      const keys = [0, 1].map((i) => readFileSync(join(place, `node${i}/privacy.pub`), 'utf8'))
      const again = openNetworkPlan(place, { ...nothing, privacy: false })
      const heading = networkHeading(place, again, '', '', 120)
      for (const key of keys) expect(heading).toContain(key)
      expect(heading).toContain(`curl -d @${place}/private.json http://127.0.0.1:8545`)
      const { params } = JSON.parse(readFileSync(join(place, 'private.json'), 'utf8')) as { params: string[] }
      const tx = decodePrivateTx(fromHex(params[0]!))
      expect(tx.recipients).toEqual({ privateFor: [new Uint8Array(Buffer.from(keys[1]!, 'base64'))] })
      expect(toHex(privateSenderOf(tx)!)).toBe(`0x${devAccounts[0]!.address}`)
    }
  }))

test('a network can move to other ports', () =>
  withTempFolder((folder) => {
    const dir = join(folder, 'net')
    const { nodes } = openNetworkPlan(dir, { ...nothing, validators: 2, basePort: 20_000 })
    const moved = openNetworkPlan(dir, { ...nothing, basePort: 30_000 })
    expect(moved.nodes.map(({ enode }) => enode)).toEqual(
      nodes.map(({ enode }, i) => enode.replace(/\d+$/, String(portsOf(moved, i).p2p))),
    )
    expect(openNetworkPlan(dir, nothing)).toEqual(moved)
    const known = JSON.parse(readFileSync(join(dir, 'node0/static-nodes.json'), 'utf8'))
    expect(known).toEqual([moved.nodes[1]!.enode])
  }))

test('what it cannot do it refuses, and leaves everything as it was', () =>
  withTempFolder((folder) => {
    const dir = join(folder, 'net')
    openNetworkPlan(dir, { ...nothing, validators: 2 })
    const refused = (wanted: Partial<LocalNetworkOptions>) => () => openNetworkPlan(dir, { ...nothing, ...wanted })
    expect(refused({ validators: 3 })).toThrow(expect.objectContaining({ at: fault(/--validators=2/) }))
    expect(refused({ consensus: 'ibft2' })).toThrow(expect.objectContaining({ at: fault(/--consensus=qbft/) }))
    const other = join(folder, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'mine'), 'x')
    expect(() => openNetworkPlan(other, nothing)).toThrow(
      expect.objectContaining({ at: fault(/has no network in it/) }),
    )
    expect(readdirSync(other)).toEqual(['mine'])
    const nowhere = join(folder, 'mine-is-a-file/net')
    writeFileSync(join(folder, 'mine-is-a-file'), 'x')
    expect(() => openNetworkPlan(nowhere, nothing)).toThrow(expect.objectContaining({ at: fault(/Unable to write/) }))
    expect(existsSync(nowhere)).toBe(false)
  }))

function fault(text: RegExp): unknown {
  return expect.objectContaining({ code: 'FAILED', text: expect.stringMatching(text) })
}

test('a network of older ports moves to those of today', () =>
  withTempFolder((folder) => {
    const dir = join(folder, 'net')
    const plan = openNetworkPlan(dir, { ...nothing, validators: 2 })
    const older = plan.nodes.map((node) => ({ ...node, enode: node.enode.replace(/\d$/, '8') }))
    writeFileSync(join(dir, 'network.json'), JSON.stringify({ ...plan, nodes: older }))
    expect(openNetworkPlan(dir, nothing)).toEqual(plan)
    expect(JSON.parse(readFileSync(join(dir, 'network.json'), 'utf8'))).toEqual(plan)
  }))
