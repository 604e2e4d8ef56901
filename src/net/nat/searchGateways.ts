import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import type { Clock } from '../../system/clock.ts'
import { isLoopback, isPrivateIp } from '../ip.ts'

export interface SearchOptions {
  /** Address to which the search is sent. */
  readonly address: { readonly ip: string; readonly port: number }
  /** IP address of the interface to search through. */
  readonly interface: string
}

/** Multicast address of SSDP. */
export const ssdpAddress = { ip: '239.255.255.250', port: 1900 }

/** Device types that forward ports. */
const kinds = [1, 2].map((version) => `urn:schemas-upnp-org:device:InternetGatewayDevice:${version}`)
/** Seconds over which devices spread their responses. */
const spread = 2
/** Milliseconds between attempts, because datagrams get lost. */
const askAgain = 1000
const attempts = 3

/** Searches the local network for routers by SSDP; returns a function that stops the search. */
export function searchGateways(
  { address, interface: ownIp }: SearchOptions,
  clock: Clock,
  onFound: (description: URL) => void,
): () => void {
  const socket = createSocket('udp4')
  const bound = isIPv4(ownIp) && ownIp !== '0.0.0.0' && !isLoopback(ownIp) ? ownIp : undefined
  let cancel = () => {}
  let attempt = 0

  function begin(): void {
    if (bound !== undefined) socket.setMulticastInterface(bound)
    ask()
  }

  function ask(): void {
    for (const kind of kinds) socket.send(searchMessage(kind, address), address.port, address.ip, () => undefined)
    if (++attempt < attempts) cancel = clock.after(askAgain, ask)
  }

  socket.on('message', (bytes, from) => {
    const url = locationIn(bytes.toString('latin1'), from.address)
    if (url) onFound(url)
  })
  // Without a network there is nothing to find.
  socket.on('error', () => undefined)
  socket.bind(0, bound, begin)
  return () => {
    cancel()
    socket.close()
  }
}

function searchMessage(kind: string, { ip, port }: SearchOptions['address']): string {
  const lines = ['M-SEARCH * HTTP/1.1', `HOST: ${ip}:${port}`, 'MAN: "ssdp:discover"', `MX: ${spread}`, `ST: ${kind}`]
  return [...lines, '', ''].join('\r\n')
}

/**
 * The URL of a device's description. Anybody can answer the search, and this node will connect to the URL: it must be
 * on the device itself, in the local network.
 */
function locationIn(answer: string, ip: string): URL | undefined {
  const [status, ...lines] = answer.split('\r\n')
  if (!/^HTTP\/1\.[01] 200\b/.test(status!)) return undefined
  const text = lines.map((line) => /^location:\s*(\S+)/i.exec(line)?.[1]).find((found) => found !== undefined)
  return text !== undefined && isPrivateIp(ip) ? urlAt(text, ip) : undefined
}

/** Parses an HTTP URL on the machine `ip`; undefined for any other URL. */
export function urlAt(text: string, ip: string, base?: URL): URL | undefined {
  if (!URL.canParse(text, base?.href)) return undefined
  const url = new URL(text, base)
  return url.protocol === 'http:' && url.hostname === ip && !url.username && !url.password ? url : undefined
}
