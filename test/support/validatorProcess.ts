import { join } from 'node:path'
import { type NetworkPlan, nodeFolder, openNetworkPlan, portsOf } from '../../src/cli/network/networkPlan.ts'
import { createNodeProcess, type NodeProcess } from '../interop/nodeProcess.ts'
import { quoinProgram } from '../interop/quoinProcess.ts'
import { freePort } from './freePort.ts'

/** A validator on loopback in a process of its own, with all that it can serve. */
export interface ValidatorProcess extends NodeProcess {
  readonly ports: ReturnType<typeof portsOf>
  readonly enode: string
  readonly logFile: string
}

const apis = 'ADMIN,CLIQUE,DEBUG,ETH,IBFT,MINER,NET,QBFT,TRACE,TXPOOL,WEB3'

/** A network in a new folder, on ports that are free as far as one can know. */
export async function createValidatorPlan(
  dir: string,
  validators: number,
  consensus: NetworkPlan['consensus'] = 'qbft',
): Promise<NetworkPlan> {
  const basePort = await freePort()
  return openNetworkPlan(dir, { validators, consensus, period: 1, basePort })
}

/** A validator of that network, not started yet. */
export function createValidatorProcess(dir: string, plan: NetworkPlan, node: number): ValidatorProcess {
  const data = nodeFolder(dir, node)
  const logFile = join(data, 'quoin.log')
  const ports = portsOf(plan, node)
  const started = createNodeProcess({
    name: `node${node}`,
    httpPort: ports.http,
    logFile,
    command: process.execPath,
    args: [
      quoinProgram,
      `--genesis-file=${join(dir, 'genesis.json')}`,
      `--data-path=${data}`,
      '--p2p-interface=127.0.0.1',
      `--p2p-port=${ports.p2p}`,
      '--rpc-http-enabled',
      `--rpc-http-port=${ports.http}`,
      `--rpc-http-api=${apis}`,
      '--rpc-ws-enabled',
      `--rpc-ws-port=${ports.ws}`,
      `--rpc-ws-api=${apis}`,
      '--graphql-http-enabled',
      `--graphql-http-port=${ports.graphql}`,
      '--min-gas-price=0',
    ],
  })
  return { ...started, ports, enode: plan.nodes[node]!.enode, logFile }
}
