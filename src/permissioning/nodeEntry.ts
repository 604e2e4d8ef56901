import { isIP } from 'node:net'
import { type Enode, formatEnode, parseNodeId } from '../net/enode.ts'
import { bytesToIp, ipToBytes } from '../net/ip.ts'
import type { Entry } from './allowlist.ts'

/** Finds the IP address of a host name; undefined if it has none. */
export type LookUp = (name: string) => Promise<string | undefined>

/** What is wrong with an enode URL, in the words of Besu. */
export interface NodeProblem {
  readonly problem: string
}

interface NodeUrl extends Omit<Enode, 'ip'> {
  /** IP address or host name. */
  readonly host: string
}

// As Besu, which reads a URL: a path and a fragment mean nothing, but must be valid.
const urlText = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/
const urlParts = /^enode:\/\/([^@/?#]*)@(\[[^\]]*\]|[^:/?#[\]]*)(?::(\d{1,5}))?(?:\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/i

/** Reads an enode URL as an entry of the list, without looking up names. */
export function parseNode(text: string): Entry<Enode> | NodeProblem {
  const url = parseNodeUrl(text)
  if ('problem' in url) return url
  return isIP(url.host) ? entryOf(text, url, url.host) : { problem: 'Invalid ip address.' }
}

/** Reads an enode URL as an entry of the list; a name becomes its address if names can be looked up. */
export async function resolveNode(text: string, lookUp: LookUp | undefined): Promise<Entry<Enode> | NodeProblem> {
  const url = parseNodeUrl(text)
  if ('problem' in url || isIP(url.host)) return parseNode(text)
  const ip = await lookUp?.(url.host)
  return ip === undefined ? { problem: 'Invalid ip address.' } : entryOf(text, url, ip)
}

/** The entry of a node, by its only form. */
export function entryOfNode(enode: Enode): Entry<Enode> {
  return entryOf(formatEnode(enode), { ...enode, host: enode.ip }, enode.ip)
}

function entryOf(text: string, { id, tcpPort, udpPort }: NodeUrl, ip: string): Entry<Enode> {
  const value: Enode = { id, ip: bytesToIp(ipToBytes(ip)) ?? ip, tcpPort, udpPort }
  return { text, key: formatEnode(value), value }
}

function parseNodeUrl(text: string): NodeUrl | NodeProblem {
  if (!/^enode:\/\//i.test(text)) return { problem: "Missing 'enode' scheme." }
  const match = urlText.test(text) ? urlParts.exec(text) : null
  if (!match || text.endsWith('\n')) return { problem: 'Invalid syntax.' }
  const [, idText, host, tcp, query] = match
  const id = parseNodeId(idText!)
  if (!id)
    return {
      problem:
        "Invalid node ID: node ID must have exactly 128 hexadecimal characters and should not include any '0x' hex prefix.",
    }
  const ip6 = host!.startsWith('[') ? host!.slice(1, -1) : undefined
  const isHost = ip6 === undefined ? isIP(host!) === 4 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host!) : isIP(ip6) === 6
  if (!isHost) return { problem: 'Invalid ip address.' }
  const tcpPort = Number(tcp ?? Number.NaN)
  if (!(tcpPort <= 65535)) return { problem: 'Invalid listening port.' }
  const discovery = query === undefined ? [tcp, tcp] : /^discport=(\d{1,5})$/.exec(query)
  const udpPort = Number(discovery?.[1] ?? Number.NaN)
  if (!(udpPort <= 65535)) return { problem: 'Invalid discovery port.' }
  return { id, host: ip6 ?? host!, tcpPort, udpPort }
}
