import { blockCount, bootnode, ip, nodeId, syncMode, warnOfSyncMode } from './networkValues.ts'
import { derived, option, unset } from './option.ts'
import { address, boolean, integer, list, natural, oneOf, path, port, text } from './values.ts'

const natMethods = ['UPNP', 'UPNPP2PONLY', 'DOCKER', 'KUBERNETES', 'AUTO', 'NONE'] as const

// A DEV node has no peers unless P2P options are set; several on one machine must not compete for a port.
const onWithPeers = derived('false on the DEV network unless another P2P option is set, else true', (given) =>
  ['genesis-file', 'p2p-host', 'p2p-interface', 'p2p-port', 'bootnodes', 'static-nodes-file'].some((name) =>
    given.has(name),
  ),
)

/** Peers. */
export const p2pOptions = {
  'p2p-enabled': option(boolean, onWithPeers, 'p2p', 'Enable P2P networking.'),
  'p2p-host': option(ip, '127.0.0.1', 'p2p', 'IP address advertised to other nodes.'),
  'p2p-interface': option(ip, '0.0.0.0', 'p2p', 'IP address of the interface to listen on.'),
  'p2p-port': option(port, 30303, 'p2p', 'Port to listen on, TCP and UDP; 0 picks any free port.'),
  'nat-method': option(
    { ...oneOf(natMethods, 'any case'), label: 'METHOD' },
    'AUTO',
    'p2p',
    'NAT method. NONE and AUTO advertise --p2p-host. UPNP makes the router forward the P2P and JSON-RPC ports and ' +
      'advertises its external address; UPNPP2PONLY forwards the P2P port only. DOCKER advertises the address of the host ' +
      'name HOST_IP and the ports that HOST_PORT_<port> name; KUBERNETES those of a service.',
  ),
  'Xnat-kube-service-name': option(
    text('NAME'),
    'besu',
    'p2p',
    'Service in the namespace of the pod whose address KUBERNETES advertises.',
  ),
  'Xnat-method-fallback-enabled': option(
    boolean,
    true,
    'p2p',
    'Start with the address of --p2p-host if DOCKER or KUBERNETES does not find one; else stop.',
  ),
  'discovery-enabled': option(boolean, true, 'p2p', 'Enable peer discovery over UDP.'),
  bootnodes: option(list(bootnode), [], 'p2p', 'Bootnodes for discovery, as enode URLs or ENRs.'),
  'static-nodes-file': option(
    path('FILE'),
    unset('static-nodes.json in the data path'),
    'p2p',
    'JSON file with an array of enode URLs to stay connected with.',
  ),
  'max-peers': option(natural, 25, 'p2p', 'Maximum number of peers; static nodes may exceed it.', {
    aliases: ['p2p-peer-upper-bound'],
  }),
  'remote-connections-limit-enabled': option(boolean, true, 'p2p', 'Limit the share of inbound peers.'),
  'remote-connections-max-percentage': option(
    integer(0, 100),
    60,
    'p2p',
    'Maximum percentage of --max-peers that may be inbound.',
  ),
  'random-peer-priority-enabled': option(
    boolean,
    false,
    'p2p',
    'At the peer limit, keep a random selection of peers instead of the oldest.',
  ),
  'sync-mode': option(
    syncMode,
    'FULL',
    'p2p',
    'How a node with an empty data path joins a network of validators. FULL downloads and executes every block. SNAP takes over the ' +
      'state of a recent block from peers that serve it (--snapsync-server-enabled), every part of it proven, and downloads the blocks ' +
      'before it afterwards; from then on both are the same.',
    { warning: warnOfSyncMode },
  ),
  'snap-history': option(
    blockCount,
    Number.POSITIVE_INFINITY,
    'p2p',
    'Number of blocks before the one whose state is taken over that are downloaded, with their receipts: all, or a number. The headers of all are.',
  ),
  'snap-depth': option(
    natural,
    64,
    'p2p',
    'How many blocks behind the heads of peers the block is whose state is taken over, where blocks are not final (Clique): no more of them may be replaced.',
  ),
  'snap-validators': option(
    list(address),
    [],
    'p2p',
    'Validators of now, of whom a quorum must have sealed the block whose state is taken over; needed where a contract names the validators and those of ' +
      'the genesis block are no longer a quorum of them.',
  ),
  'snapsync-server-enabled': option(
    boolean,
    false,
    'p2p',
    'Serve the state of recent blocks to peers that take it over instead of executing all blocks (snap/1).',
    { aliases: ['Xsnapsync-server-enabled'] },
  ),
  'banned-node-ids': option(list(nodeId), [], 'p2p', 'Node IDs to never connect with.', {
    aliases: ['banned-node-id'],
  }),
  'Xdns-enabled': option(
    boolean,
    false,
    'p2p',
    'Allow host names in enode URLs. A name is looked up once: at the start, or when it is given.',
  ),
  'Xdns-update-enabled': option(
    boolean,
    false,
    'p2p',
    'Look up the host names of the nodes-allowlist again every minute, so that nodes may change their addresses.',
  ),
}
