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
  privacy = false,
): Promise<NetworkPlan> {
  const basePort = await freePort()
  return openNetworkPlan(dir, { validators, consensus, period: 1, basePort, privacy })
}

/** What a node needs for private transactions with the others. */
function privacyOptions(plan: NetworkPlan, node: number): readonly string[] {
  const others = plan.nodes.flatMap((_, i) => (i === node ? [] : `http://127.0.0.1:${portsOf(plan, i).manager}/`))
  const { manager } = portsOf(plan, node)
  return ['--privacy-enabled', `--privacy-manager-peer-port=${manager}`, `--privacy-manager-peers=${others.join()}`]
}

/** A validator of that network, not started yet; its log is with its data if nothing else is said. */
export function createValidatorProcess(
  dir: string,
  plan: NetworkPlan,
  node: number,
  logFile = join(nodeFolder(dir, node), 'quoin.log'),
): ValidatorProcess {
  const data = nodeFolder(dir, node)
  const ports = portsOf(plan, node)
  const served = plan.privacy ? `${apis},EEA,PRIV` : apis
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
      `--rpc-http-api=${served}`,
      '--rpc-ws-enabled',
      `--rpc-ws-port=${ports.ws}`,
      `--rpc-ws-api=${served}`,
      '--graphql-http-enabled',
      `--graphql-http-port=${ports.graphql}`,
      '--min-gas-price=0',
      ...(plan.privacy ? privacyOptions(plan, node) : []),
    ],
  })
  return { ...started, ports, enode: plan.nodes[node]!.enode, logFile }
}
