import { isIPv6 } from 'node:net'
import { type Enode, formatEnode } from '../../net/enode.ts'
import type { EthPeer } from '../../net/eth/ethPeer.ts'
import type { EthPeers } from '../../net/eth/ethPeers.ts'
import type { P2pNetwork } from '../../net/p2pNetwork.ts'
import type { Endpoint } from '../../net/protocol.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import type { ConnectedPeer, PeersPort } from '../../rpc/protocol/context.ts'

/** Version of the p2p protocol that connections speak. */
const p2pVersion = 5

/** The peer-to-peer network as the ADMIN and NET methods see it. */
export function createPeersPort(
  network: Pick<P2pNetwork, 'enode' | 'peers' | 'addPeer' | 'removePeer'>,
  peers: Pick<EthPeers, 'all'>,
  { isListening, permits, lookUp }: Pick<PeersPort, 'isListening' | 'permits' | 'lookUp'>,
): PeersPort {
  return {
    isListening,
    count: () => peers.all().length,
    enode: () => (isListening() ? formatEnode(network.enode()) : undefined),
    ...(lookUp && { lookUp }),
    permits,
    add: (enode) => (equalBytes(enode.id, network.enode().id) ? undefined : network.addPeer(enode)),
    remove(enode) {
      const connected = network.peers().find(({ id }) => equalBytes(id, enode.id))
      const wasStatic = connected?.isStatic ?? true
      return network.removePeer(enode) && wasStatic
    },
    list: () => peers.all().map(connectedPeer),
    nodeInfo() {
      const enode = network.enode()
      // As in Besu, a node that advertises no other address shows that it listens on all; `enode` has one that can be dialled.
      const ip = isLocal(enode.ip) ? '::' : enode.ip
      const up = isListening()
      return {
        enode: formatEnode({ ...enode, ip }),
        listenAddress: up ? addressOf({ ip, port: enode.tcpPort }) : undefined,
        ip: enode.ip,
        id: enode.id,
        discoveryPort: up && enode.udpPort !== 0 ? enode.udpPort : undefined,
        listenerPort: up ? enode.tcpPort : undefined,
      }
    },
  }
}

/** Whether only this machine can reach the address. */
function isLocal(ip: string): boolean {
  return ip.startsWith('127.') || ip === '0.0.0.0' || ip === '::1'
}

function addressOf({ ip, port }: Endpoint): string {
  return `${isIPv6(ip) ? `[${ip}]` : ip}:${port}`
}

function connectedPeer({ info, version, head }: EthPeer): ConnectedPeer {
  const enode: Enode = { id: info.id, ip: info.remote.ip, tcpPort: info.listenPort, udpPort: info.listenPort }
  return {
    version: p2pVersion,
    clientId: info.clientId,
    capabilities: info.capabilities.map(({ name, version }) => `${name}/${version}`),
    localAddress: addressOf(info.local),
    remoteAddress: addressOf(info.remote),
    inbound: info.inbound,
    port: info.listenPort,
    id: info.id,
    eth: { version, totalDifficulty: head.totalDifficulty, head: head.hash },
    enode: formatEnode(enode),
  }
}
