import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NetworkEngine, nodeFolder, openNetworkPlan } from '../../src/cli/network/networkPlan.ts'
import { createNodeProcess, type NodeProcess } from '../interop/nodeProcess.ts'
import { quoinProgram } from '../interop/quoinProcess.ts'
import type { Place } from './lab.ts'

export interface ConsortiumOptions {
  /** A folder that does not exist yet. */
  readonly folder: string
  readonly consensus: NetworkEngine
  /** They are at the first places; anyone who is at the others follows. */
  readonly validators: number
}

const [httpPort, p2pPort] = [8545, 30303]
/** Seconds between blocks. */
const period = 2
/** Nodes that the others are told of; discovery does the rest. */
const bootnodes = 2

/** A node for each place, none of them started. */
export function createConsortium(places: readonly Place[], options: ConsortiumOptions): readonly NodeProcess[] {
  const { folder, consensus, validators } = options
  const plan = openNetworkPlan(folder, { validators, consensus, period, basePort: undefined })
  const enodes = plan.nodes.map(({ enode }, i) => enode.replace(/@.*/, `@${places[i]!.address}:${p2pPort}`))
  return places.map(({ within: [command, ...within], control, address }, i) => {
    const data = nodeFolder(folder, i)
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'static-nodes.json'), '[]')
    return createNodeProcess({
      name: `node${i}`,
      httpHost: control,
      httpPort,
      logFile: join(data, 'quoin.log'),
      command: command!,
      args: [
        ...within,
        process.execPath,
        quoinProgram,
        `--genesis-file=${join(folder, 'genesis.json')}`,
        `--data-path=${data}`,
        `--p2p-host=${address}`,
        `--p2p-interface=${address}`,
        `--p2p-port=${p2pPort}`,
        `--bootnodes=${enodes.slice(0, bootnodes).join()}`,
        '--rpc-http-enabled',
        `--rpc-http-host=${control}`,
        `--rpc-http-port=${httpPort}`,
        '--rpc-http-api=ADMIN,ETH,NET',
        '--host-allowlist=*',
        '--min-gas-price=0',
      ],
    })
  })
}
