import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadNetwork, type Network } from '../../../src/chainData/network.ts'
import { formatEnode } from '../../../src/net/enode.ts'
import type { SubProtocol } from '../../../src/net/protocol.ts'
import { makeFolder } from '../../../src/system/makeFolder.ts'
import { createNodeProcess, type NodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { eventually } from '../../interop/rpcNode.ts'
import { freePort } from '../../support/freePort.ts'
import type { createTestNetworks } from '../../support/netHarness.ts'
import type { SnapNode } from '../../support/snapNode.ts'
import type { SuiteTerms } from '../suite.ts'

export interface SnapTerms extends SuiteTerms {
  /** Who has the chain that is joined. */
  readonly source: SnapNode
  readonly genesisFile: string
}

export const networkOf = (genesisFile: string): Network => loadNetwork(genesisFile, undefined)

/** Offers protocols on a TCP port of loopback; returns the address of the node. */
export async function offer(
  networks: ReturnType<typeof createTestNetworks>,
  n: number,
  protocols: readonly SubProtocol[],
): Promise<string> {
  const { network } = await networks.start(n, {}, { protocols })
  return formatEnode(network.enode())
}

/** A real node with `--sync-mode=SNAP` whose peers are these. */
export async function createJoiner(
  folder: string,
  genesisFile: string,
  peers: readonly string[],
): Promise<NodeProcess> {
  makeFolder(folder, 0o700)
  writeFileSync(join(folder, 'static-nodes.json'), JSON.stringify(peers))
  const [httpPort, p2pPort] = [await freePort(), await freePort()]
  return createNodeProcess({
    name: 'joiner',
    httpPort,
    logFile: join(folder, 'quoin.log'),
    command: process.execPath,
    args: [
      quoinProgram,
      `--genesis-file=${genesisFile}`,
      `--data-path=${folder}`,
      '--p2p-interface=127.0.0.1',
      `--p2p-port=${p2pPort}`,
      '--discovery-enabled=false',
      '--rpc-http-enabled',
      `--rpc-http-port=${httpPort}`,
      '--rpc-http-api=ETH,ADMIN',
      '--min-gas-price=0',
      '--sync-mode=SNAP',
      '--logging=DEBUG',
    ],
  })
}

/** Waits until a node has the head of a chain, and all blocks before it. */
export async function comesTo(
  node: NodeProcess,
  source: SnapNode,
  isWanted: () => boolean = () => true,
): Promise<void> {
  const head = Number(source.head().header.number)
  await eventually('the node has the head and all blocks before it', async () => {
    if (!isWanted()) return true
    const height = Number(await node.call<string>('eth_blockNumber'))
    if (height < head) return false
    const { tx } = await node.call<{ tx: { oldestBlock: string } }>('eth_capabilities')
    return Number(tx.oldestBlock) === 0
  })
}
