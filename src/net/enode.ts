import { isIP, isIPv6 } from 'node:net'
import { fromHex, toHex } from '../primitives/hex.ts'
import { curve } from '../primitives/secp256k1.ts'
import { NetError } from './fault.ts'

/** A node's public key and endpoint. */
export interface Enode {
  /** Public key, 64 bytes. */
  readonly id: Uint8Array
  /** IPv4 or IPv6 address, without brackets. */
  readonly ip: string
  /** 0 if the node does not listen. */
  readonly tcpPort: number
  /** 0 if discovery is disabled. */
  readonly udpPort: number
}

const pattern = /^enode:\/\/([^@]*)@(?:\[([^\]]*)\]|([^:/?#\]]*)):(\d{1,5})(?:\?discport=(\d{1,5}))?$/i
const idRule =
  "Invalid node ID: node ID must have exactly 128 hexadecimal characters and should not include any '0x' hex prefix."

/** Parses an `enode://` URL. With `names`, `ip` may be a host name, to be looked up before it is used; else that throws. */
export function parseEnode(text: string, { names = false } = {}): Enode {
  const fault = (reason: string) => new NetError({ code: 'MALFORMED_ENODE', text, reason })
  const match = pattern.exec(text.trim())
  if (!match) throw fault('expected enode://<node id>@<ip>:<port>[?discport=<port>]')
  const [, idText, ip6, host, tcp, udp] = match
  const id = parseNodeId(idText!)
  if (id === undefined) throw fault(idRule)
  if (!curve.isPublicKey(id)) throw fault('the node ID is not a public key')
  const ip = ip6 ?? host!
  const isName = ip6 === undefined && names && /^(?![\d.]+$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(ip)
  if (!isName && (ip6 === undefined ? isIP(ip) !== 4 : isIP(ip) !== 6)) throw fault(`'${ip}' is not an IP address`)
  const tcpPort = Number(tcp)
  const udpPort = udp === undefined ? tcpPort : Number(udp)
  if (tcpPort > 65535 || udpPort > 65535) throw fault('the port must be at most 65535')
  return { id, ip, tcpPort, udpPort }
}

/** Formats a node as an `enode://` URL. */
export function formatEnode({ id, ip, tcpPort, udpPort }: Enode): string {
  const host = isIPv6(ip) ? `[${ip}]` : ip
  return `enode://${toHex(id).slice(2)}@${host}:${tcpPort}${udpPort === tcpPort ? '' : `?discport=${udpPort}`}`
}

/** Parses a node ID of 128 hexadecimal digits without prefix; undefined if it is invalid. */
export function parseNodeId(text: string): Uint8Array | undefined {
  return /^[0-9a-fA-F]{128}$/.test(text) ? fromHex(text) : undefined
}
