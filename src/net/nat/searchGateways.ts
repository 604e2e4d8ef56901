import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import type { Clock } from '../../primitives/clock.ts'
import { isLoopback, isPrivateIp } from '../ip.ts'

export interface SearchOptions {
  /** Where devices of the local network listen for the search. */
  readonly place: { readonly ip: string; readonly port: number }
  /** IP address of the interface to search through. */
  readonly interface: string
}

/** Where UPnP devices listen. */
export const ssdpPlace = { ip: '239.255.255.250', port: 1900 }

/** Kinds of devices that forward ports. */
const kinds = [1, 2].map((version) => `urn:schemas-upnp-org:device:InternetGatewayDevice:${version}`)
/** Seconds over which devices spread their answers. */
const spread = 2
/** Milliseconds from one attempt to the next: datagrams get lost. */
const askAgain = 1000
const attempts = 3

/** Asks the local network for routers by SSDP; gives a function that ends it. */
export function searchGateways(
  { place, interface: ownIp }: SearchOptions,
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
    for (const kind of kinds) socket.send(question(kind, place), place.port, place.ip, () => undefined)
    if (++attempt < attempts) cancel = clock.after(askAgain, ask)
  }

  socket.on('message', (bytes, from) => {
    const url = locationIn(bytes.toString('latin1'), from.address)
    if (url) onFound(url)
  })
  // Without a network there is nobody to find.
  socket.on('error', () => undefined)
  socket.bind(0, bound, begin)
  return () => {
    cancel()
    socket.close()
  }
}

function question(kind: string, { ip, port }: SearchOptions['place']): string {
  const lines = ['M-SEARCH * HTTP/1.1', `HOST: ${ip}:${port}`, 'MAN: "ssdp:discover"', `MX: ${spread}`, `ST: ${kind}`]
  return [...lines, '', ''].join('\r\n')
}

/**
 * Where a device describes itself. Anybody can answer, and this node will ask at that place: it has to be the device's
 * own, in the local network.
 */
function locationIn(answer: string, ip: string): URL | undefined {
  const [status, ...lines] = answer.split('\r\n')
  if (!/^HTTP\/1\.[01] 200\b/.test(status!)) return undefined
  const text = lines.map((line) => /^location:\s*(\S+)/i.exec(line)?.[1]).find((found) => found !== undefined)
  return text !== undefined && isPrivateIp(ip) ? urlAt(text, ip) : undefined
}

/** A URL of plain HTTP on that machine; undefined for every other. */
export function urlAt(text: string, ip: string, base?: URL): URL | undefined {
  if (!URL.canParse(text, base?.href)) return undefined
  const url = new URL(text, base)
  return url.protocol === 'http:' && url.hostname === ip && !url.username && !url.password ? url : undefined
}
