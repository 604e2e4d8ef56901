import { consoleAddress } from '../dev/consoleLog.ts'
import { createEvms } from '../query/evms.ts'
import type { RpcPorts, ServicePlace } from '../rpc/protocol/context.ts'
import type { ConnectedNode } from './connectParts.ts'
import { apiLimitsOf } from './options/apiLimits.ts'
import { createAddressNames } from './ports/addressNames.ts'
import { authorityPorts } from './ports/authorityPorts.ts'
import { createDevPorts } from './ports/devPorts.ts'
import { createLoggingPort } from './ports/loggingPort.ts'
import { miningPortOf } from './ports/miningPort.ts'
import { createPoolPort } from './ports/poolPort.ts'
import { createTraceFolder } from './ports/traceFolder.ts'

/** The ports that each node has, whatever its network. */
export type NodePorts = RpcPorts &
  Required<Omit<RpcPorts, 'clique' | 'dev' | 'filters' | 'ibft' | 'qbft' | 'server' | 'session'>>

/** What the methods of JSON-RPC and the fields of GraphQL see of a node. */
export function createRpcPorts(node: ConnectedNode, places: ReadonlyMap<string, ServicePlace>): NodePorts {
  const { network, consensus, consoleTracer } = node
  return {
    ...authorityPorts(network.spec, consensus, node.votes),
    ...node.operator.ports,
    ...createDevPorts(node),
    chain: node.current.get,
    client: { version: node.config['dev-client-version'] ?? node.version, networkId: network.networkId },
    evms: createEvms(
      {
        beneficiaryOf: consensus.beneficiary,
        rewardOf: consensus.reward,
        ...(node.dev && { nextBlock: node.dev.nextBlock }),
      },
      consoleTracer && { address: consoleAddress, tracer: consoleTracer },
    ),
    limits: apiLimitsOf(node.config),
    logging: createLoggingPort(node.loggers),
    metrics: node.metrics.port,
    mining: miningPortOf(node.producer, node.settings, {
      engine: network.spec.consensus.kind,
      isDev: network.isDev,
      ownAddress: node.key.address,
    }),
    names: createAddressNames(node.config['address-names-file'], node.loggers.child('names')),
    peers: node.p2p?.peers,
    permissions: node.permissions.port,
    pool: createPoolPort(node.pooling, node.dev),
    privacy: node.privacy?.port,
    privateLogs: node.privacy?.port,
    services: { places: () => places },
    sync: node.peerNetwork.sync,
    traces: createTraceFolder(node.dataPath, node.clock),
  }
}
