import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '../../../src/primitives/hex.ts'
import { curve, privateKeyToAddress } from '../../../src/primitives/secp256k1.ts'
import { type DevNode, startDevNode } from '../../support/devNode.ts'
import { startFakeManager } from '../../support/fakeManager.ts'
import { createManualClock, type ManualClock } from '../../support/manualClock.ts'
import { keyNumber } from '../../support/netHarness.ts'
import { devBlocks, devPool } from './chainOfDev.ts'
import { pragueBlocks, pragueGenesis } from './chainOfPrague.ts'
import { flexibleCreation, privateCreation, privateKeyOfParty } from './chainOfPrivate.ts'
import { tokenBlocks } from './chainOfTokens.ts'
import { authorityNetworks, ownKey, writeChain } from './chainsOfAuthorities.ts'
import { writeChainWithUncle } from './chainWithUncle.ts'
import { bringStrangers } from './strangers.ts'

/** A node and the time it goes by. */
export interface TimedNode {
  readonly node: DevNode
  readonly clock: ManualClock
}

/** The nodes that transcripts talk to, by the names that test/fixtures/rpc/README.md explains. */
export interface Networks {
  /** One of the nodes that all cases share, started when it is first asked for. */
  shared(name: string): Promise<DevNode>
  /** A development network of its own, at its genesis block. */
  fresh(): Promise<TimedNode>
  stop(): Promise<void>
}

/** 2023-11-14T22:13:20Z. */
const start = 1_700_000_000_000
const everything = 'ADMIN,ANVIL,DEBUG,ETH,EVM,HARDHAT,MINER,NET,OTS,PERM,TRACE,TXPOOL,WEB3'

const serving = (groups: string) => ({
  'rpc-http-enabled': 'true',
  'rpc-ws-enabled': 'true',
  'rpc-http-api': groups,
  'rpc-ws-api': groups,
  'graphql-http-enabled': 'false',
})

/** What answers of Besu have on all networks, and Quoin's on all but the development network. */
const besuForm = { 'rpc-revert-format': 'BESU' }

const devOptions = {
  ...serving(everything),
  'dev-fork': 'london',
  'revert-reason-enabled': 'true',
  'rpc-max-logs-range': '50',
}

/** Sends the transactions of each block and lets time pass until it is made. */
async function fill({ node, clock }: TimedNode, blocks: readonly (readonly string[])[]): Promise<void> {
  for (const [i, block] of blocks.entries()) {
    for (const raw of block) await node.call('eth_sendRawTransaction', [raw])
    clock.run(1000)
    await seeBlock(node, i + 1)
  }
}

/** Validators build blocks in turns of the event loop: a head is asked for so often at most until it is there. */
const maxTurns = 1000

async function seeBlock(node: DevNode, number: number): Promise<void> {
  const wanted = `0x${number.toString(16)}`
  let head: unknown
  for (let i = 0; i < maxTurns && head !== wanted; i++) head = await node.call('eth_blockNumber')
  if (head !== wanted) throw new Error(`block ${number} was not made: the head is ${head}`)
}

/** Nodes that start when they are asked for, with further options of all of them. */
export function openNetworks(more: Readonly<Record<string, string>> = {}): Networks {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-transcripts-'))
  const nodes = new Map<string, Promise<DevNode>>()
  const running: DevNode[] = []
  const stops: (() => unknown)[] = []

  function fileOf(name: string, text: string): string {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  async function begin(name: string, options: Readonly<Record<string, string>>): Promise<TimedNode> {
    const clock = createManualClock(start)
    const keyFile = fileOf(`${name}.key`, toHex(keyNumber(0)))
    const node = await startDevNode({ 'node-private-key-file': keyFile, ...besuForm, ...options, ...more }, clock)
    running.push(node)
    return { node, clock }
  }

  async function beginDev(): Promise<TimedNode> {
    const dev = await begin('dev', devOptions)
    await fill(dev, devBlocks)
    for (const raw of devPool) await dev.node.call('eth_sendRawTransaction', [raw])
    return dev
  }

  async function beginGeth(): Promise<TimedNode> {
    const geth = await begin('geth', { ...devOptions, 'rpc-revert-format': 'GETH' })
    await fill(geth, devBlocks)
    return geth
  }

  async function beginTokens(): Promise<TimedNode> {
    const names = JSON.stringify({ '0xA11cE00000000000000000000000000000000000': 'Alice "A"' })
    const tokens = await begin('tokens', { ...devOptions, 'address-names-file': fileOf('names.json', names) })
    await fill(tokens, tokenBlocks)
    return tokens
  }

  async function beginPrague(): Promise<TimedNode> {
    const validator = { key: keyNumber(0), address: privateKeyToAddress(keyNumber(0)) }
    const genesisFile = fileOf('prague.json', JSON.stringify(pragueGenesis(validator, start / 1000)))
    const options = { ...serving(everything), 'genesis-file': genesisFile, 'p2p-enabled': 'false' }
    const prague = await begin('prague', options)
    await fill(prague, pragueBlocks)
    return prague
  }

  async function beginAuthority(name: keyof typeof authorityNetworks): Promise<TimedNode> {
    const network = authorityNetworks[name]
    const genesisFile = fileOf(`${name}.json`, JSON.stringify(network.genesis))
    const dataPath = join(folder, name)
    await writeChain(dataPath, genesisFile, network)
    return begin(name, {
      ...serving(`${name.toUpperCase()},ETH,MINER`),
      'data-path': dataPath,
      'genesis-file': genesisFile,
      'node-private-key-file': fileOf(`${name}.key`, toHex(ownKey)),
      'p2p-enabled': 'false',
    })
  }

  async function beginUncle(): Promise<TimedNode> {
    const dataPath = join(folder, 'uncle')
    await writeChainWithUncle(dataPath)
    return begin('uncle', { ...devOptions, 'data-path': dataPath })
  }

  async function beginPeered(): Promise<TimedNode> {
    const peered = await begin('peered', { ...devOptions, 'p2p-port': '0', 'p2p-interface': '127.0.0.1' })
    stops.push(await bringStrangers(peered.node))
    return peered
  }

  async function beginPermissioned(): Promise<TimedNode> {
    const id = toHex(curve.publicKey(keyNumber(1))).slice(2)
    const permissions = fileOf(
      'permissions_config.toml',
      `accounts-allowlist=["0x${'a1'.repeat(20)}"]\nnodes-allowlist=["enode://${id}@127.0.0.1:30303"]\n`,
    )
    return begin('permissioned', {
      ...devOptions,
      'p2p-port': '0',
      'p2p-interface': '127.0.0.1',
      'permissions-accounts-config-file-enabled': 'true',
      'permissions-accounts-config-file': permissions,
      'permissions-nodes-config-file-enabled': 'true',
      'permissions-nodes-config-file': permissions,
    })
  }

  async function beginPrivate(name: 'private' | 'flexible', first: string): Promise<TimedNode> {
    const manager = await startFakeManager(privateKeyOfParty)
    stops.push(manager.close)
    const { node, clock } = await begin(name, {
      ...serving('EEA,ETH,PRIV'),
      'dev-fork': 'berlin',
      'min-gas-price': '0',
      'privacy-enabled': 'true',
      'privacy-flexible-groups-enabled': String(name === 'flexible'),
      'privacy-url': manager.url,
      'privacy-public-key-file': fileOf('party.pub', privateKeyOfParty),
      'privacy-marker-transaction-signing-key-file': fileOf('marker.key', toHex(keyNumber(5))),
    })
    await node.call('eea_sendRawTransaction', [first])
    clock.run(1000)
    return { node, clock }
  }

  const begins: Readonly<Record<string, () => Promise<TimedNode>>> = {
    dev: beginDev,
    prague: beginPrague,
    geth: beginGeth,
    tokens: beginTokens,
    bare: () => begin('bare', serving('NET')),
    plain: () => begin('plain', serving('EEA,PRIV')),
    clique: () => beginAuthority('clique'),
    ibft: () => beginAuthority('ibft'),
    qbft: () => beginAuthority('qbft'),
    uncle: beginUncle,
    peered: beginPeered,
    permissioned: beginPermissioned,
    private: () => beginPrivate('private', privateCreation(0n, 1337n)),
    flexible: () => beginPrivate('flexible', flexibleCreation(1337n)),
  }

  return {
    shared(name) {
      const start = begins[name]
      if (!start) throw new Error(`there is no node of the name ${name}`)
      const known = nodes.get(name) ?? start().then(({ node }) => node)
      nodes.set(name, known)
      return known
    },
    async fresh() {
      const clock = createManualClock(start)
      return { node: await startDevNode({ ...besuForm, ...devOptions, ...more }, clock), clock }
    },
    async stop() {
      for (const stop of stops) stop()
      await Promise.all(running.map((node) => node.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
