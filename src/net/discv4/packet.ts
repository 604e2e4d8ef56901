import { type NodeKey, signWith } from '../../keys/nodeIdentity.ts'
import { concatBytes, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import {
  decodeRlp,
  encodeRlp,
  type RlpItem,
  rlpBytes,
  rlpItemEnd,
  rlpList,
  rlpScalar,
  scalar,
} from '../../primitives/rlp.ts'
import { curve } from '../../primitives/secp256k1.ts'
import type { Enode } from '../enode.ts'
import { NetError } from '../fault.ts'
import { bytesToIp, ipToBytes } from '../ip.ts'

/** Endpoint of a node in a packet; `ip` is empty if the sender left it out. */
export type NodeEndpoint = Omit<Enode, 'id'>

/** Messages of discovery; `expires` is in seconds since 1970. */
export type DiscoveryMessage =
  | { type: 'ping'; from: NodeEndpoint; to: NodeEndpoint; expires: number; seq: bigint }
  | { type: 'pong'; to: NodeEndpoint; ping: Uint8Array; expires: number; seq: bigint }
  | { type: 'findNode'; target: Uint8Array; expires: number }
  | { type: 'neighbors'; nodes: readonly Enode[]; expires: number }
  | { type: 'recordRequest'; expires: number }
  | { type: 'recordResponse'; request: Uint8Array; record: Uint8Array }

export interface Packet {
  readonly message: DiscoveryMessage
  /** Sender's public key. */
  readonly id: Uint8Array
  readonly hash: Hash32
}

const version = 5
const hashLength = 32
const headLength = hashLength + 65
const maxLength = 1280
const types = ['ping', 'pong', 'findNode', 'neighbors', 'recordRequest', 'recordResponse'] as const

/** Nodes that fit into one Neighbors packet, even with IPv6 addresses. */
export const neighborsPerPacket = 12

/** A message as it is sent. */
export interface EncodedPacket {
  readonly bytes: Uint8Array
  readonly hash: Hash32
}

/** Encodes and signs a message; `done` is called at once if the key is here. */
export function encodePacket(message: DiscoveryMessage, key: NodeKey, done: (packet: EncodedPacket) => void): void {
  const content = concatBytes(Uint8Array.of(types.indexOf(message.type) + 1), encodeRlp(itemsOf(message)))
  signWith(key, { kind: 'packet', digest: keccak256(content), content: () => content }, (signature) => {
    const signed = concatBytes(signature, content)
    const hash = keccak256(signed)
    done({ bytes: concatBytes(hash, signed), hash })
  })
}

function itemsOf(message: DiscoveryMessage): RlpItem {
  switch (message.type) {
    case 'ping':
      return [
        scalar(version),
        endpointItem(message.from),
        endpointItem(message.to),
        scalar(message.expires),
        scalar(message.seq),
      ]
    case 'pong':
      return [endpointItem(message.to), message.ping, scalar(message.expires), scalar(message.seq)]
    case 'findNode':
      return [message.target, scalar(message.expires)]
    case 'neighbors':
      return [message.nodes.map((node) => [...endpointItem(node), node.id]), scalar(message.expires)]
    case 'recordRequest':
      return [scalar(message.expires)]
    case 'recordResponse':
      return [message.request, decodeRlp(message.record)]
  }
}

function endpointItem({ ip, udpPort, tcpPort }: NodeEndpoint): readonly Uint8Array[] {
  return [ipToBytes(ip), scalar(udpPort), scalar(tcpPort)]
}

/** Checks hash and signature and decodes the message; throws if the packet is invalid. */
export function decodePacket(bytes: Uint8Array): Packet {
  if (bytes.length <= headLength || bytes.length > maxLength) throw fault('length')
  const hash = keccak256(bytes.subarray(hashLength))
  if (!equalBytes(hash, bytes.subarray(0, hashLength))) throw fault('digest')
  const content = bytes.subarray(headLength)
  // Data after the list is for later versions (EIP-8).
  const items = rlpList(decodeRlp(content.subarray(1, rlpItemEnd(content, 1))))
  const message = messageOf(content[0]!, items)
  const id = curve.recover(keccak256(content), bytes.subarray(hashLength, headLength - 1), bytes[headLength - 1]!)
  if (!id) throw fault('signature')
  return { message, id, hash }
}

function messageOf(type: number, items: readonly RlpItem[]): DiscoveryMessage {
  switch (types[type - 1]) {
    case 'ping':
      return pingOf(items)
    case 'pong': {
      const [to, ping, expires, seq] = items
      return { type: 'pong', to: endpointOf(to), ping: rlpBytes(ping, 32), expires: time(expires), seq: seqOf(seq) }
    }
    case 'findNode':
      return { type: 'findNode', target: rlpBytes(items[0], 64), expires: time(items[1]) }
    case 'neighbors':
      return { type: 'neighbors', nodes: rlpList(items[0]).map(nodeOf), expires: time(items[1]) }
    case 'recordRequest':
      return { type: 'recordRequest', expires: time(items[0]) }
    case 'recordResponse':
      return { type: 'recordResponse', request: rlpBytes(items[0], 32), record: encodeRlp(rlpList(items[1])) }
    default:
      throw fault('type')
  }
}

/** Besu may leave out the sender's endpoint: then there is only one list. */
function pingOf(items: readonly RlpItem[]): DiscoveryMessage {
  const alone = items[2] instanceof Uint8Array
  const from = endpointOf(items[1])
  const [to, expires, seq] = alone ? [from, items[2], items[3]] : [endpointOf(items[2]), items[3], items[4]]
  const nowhere = { ip: '', udpPort: 0, tcpPort: 0 }
  return { type: 'ping', from: alone ? nowhere : from, to, expires: time(expires), seq: seqOf(seq) }
}

function endpointOf(item: RlpItem | undefined): NodeEndpoint {
  const [ip, udp, tcp] = rlpList(item)
  return { ip: bytesToIp(rlpBytes(ip)) ?? '', udpPort: port(udp), tcpPort: tcp === undefined ? 0 : port(tcp) }
}

function nodeOf(item: RlpItem): Enode {
  return { ...endpointOf(item), id: rlpBytes(rlpList(item)[3], 64).slice() }
}

function port(item: RlpItem | undefined): number {
  return Number(rlpScalar(item, 16))
}

/** geth and Besu read a signed number: what is beyond has expired long ago. */
function time(item: RlpItem | undefined): number {
  return Number(BigInt.asIntN(64, rlpScalar(item, 64)))
}

/** Absent before EIP-868. */
function seqOf(item: RlpItem | undefined): bigint {
  return item instanceof Uint8Array ? rlpScalar(item, 64) : 0n
}

function fault(reason: string): NetError {
  return new NetError({ code: 'BAD_PACKET', reason })
}
