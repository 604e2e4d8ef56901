import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ibft2Codec } from '../../src/consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { namespaceOf } from '../../src/rpc/protocol/method.ts'
import { authorities, bftGenesis, cliqueGenesis } from './authorityChain.ts'
import { type DevNode, startDevNode } from './devNode.ts'
import { startFakeManager } from './fakeManager.ts'

const shared = ['ADMIN', 'DEBUG', 'ETH', 'MINER', 'NET', 'OTS', 'PERM', 'TRACE', 'TXPOOL', 'WEB3']
/** Groups that change the chain for tests: they have a development network of their own. */
const forTests = ['ANVIL', 'EVM', 'HARDHAT']

/** Groups of private transactions, on a node that has a manager of them. */
const forPrivacy = ['EEA', 'PRIV']
const partyKey = 'A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo='

/** A running node for each engine: its methods are not enabled elsewhere. */
export interface Nodes {
  /** The node that has a method. */
  of(method: string): DevNode
  readonly dev: DevNode
  stop(): Promise<void>
}

/** A development network, and a network of each engine whose only validator is the node; with every group of methods. */
export async function startNodes(): Promise<Nodes> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-nodes-'))
  const [validator] = authorities(1)
  const keyFile = join(folder, 'key')
  writeFileSync(keyFile, toHex(validator!.key))
  const engines = {
    CLIQUE: cliqueGenesis([validator!], { blockPeriodSeconds: 1 }),
    IBFT: bftGenesis(ibft2Codec, [validator!], { ibft2: { blockPeriodSeconds: 1, requestTimeoutSeconds: 2 } }),
    QBFT: bftGenesis(qbftCodec, [validator!], { qbft: { blockPeriodSeconds: 1, requestTimeoutSeconds: 2 } }),
  }
  const groups = (more: string) => ({ 'rpc-http-api': `${shared},${more}`, 'rpc-ws-api': `${shared},${more}` })
  const started: [string, DevNode][] = [['', await startDevNode(groups('ETH'))]]
  for (const [group, genesis] of Object.entries(engines)) {
    const genesisFile = join(folder, `${group}.json`)
    writeFileSync(genesisFile, JSON.stringify(genesis))
    started.push([
      group,
      await startDevNode({
        ...groups(group),
        'rpc-http-enabled': 'true',
        'rpc-ws-enabled': 'true',
        'genesis-file': genesisFile,
        'node-private-key-file': keyFile,
        'p2p-enabled': 'false',
      }),
    ])
  }
  const changing = await startDevNode(groups(forTests.join()))
  const manager = await startFakeManager(partyKey)
  const partyFile = join(folder, 'party.pub')
  writeFileSync(partyFile, partyKey)
  const startPrivate = (isFlexible: boolean) =>
    startDevNode({
      ...groups(forPrivacy.join()),
      'min-gas-price': '0',
      'privacy-enabled': 'true',
      'privacy-flexible-groups-enabled': String(isFlexible),
      'privacy-url': manager.url,
      'privacy-public-key-file': partyFile,
    })
  const secret = await startPrivate(false)
  const flexible = await startPrivate(true)
  const nodes = new Map([
    ...started,
    ...forTests.map((group) => [group, changing] as const),
    ...forPrivacy.map((group) => [group, secret] as const),
  ])
  const dev = nodes.get('')!
  return {
    dev,
    of: (method) => (method.startsWith('privx_') ? flexible : (nodes.get(namespaceOf(method)) ?? dev)),
    async stop() {
      await Promise.all([...new Set([...nodes.values(), flexible])].map((node) => node.stop()))
      await manager.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
