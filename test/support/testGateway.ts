import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A call of the router's service: its name and arguments. */
export interface GatewayCall {
  readonly action: string
  readonly args: ReadonlyMap<string, string>
}

export interface GatewayBehaviour {
  /** What the search is told, each in an answer of its own; `url` is where the description really is. */
  locations?(url: string): readonly string[]
  /** The description, in place of the usual one. */
  description?(usual: string): string
  /** Number of the error by which a call is refused. */
  refuse?(call: GatewayCall): number | undefined
}

const service = 'urn:schemas-upnp-org:service:WANIPConnection:1'

const usualDescription = `<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><device><deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType>
<serviceList><service><serviceType>urn:schemas-upnp-org:service:Layer3Forwarding:1</serviceType>
<controlURL>/other</controlURL></service></serviceList>
<deviceList><device><serviceList><service><serviceType>${service}</serviceType>
<controlURL>/control?a=1&amp;b=2</controlURL></service></serviceList></device></deviceList></device></root>`

const envelope = (inner: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${inner}</s:Body></s:Envelope>`

/** A router on loopback: it answers the search over UDP and calls over HTTP, and forwards nothing. */
export async function startTestGateway(behaviour: GatewayBehaviour = {}) {
  const calls: GatewayCall[] = []
  const requested: string[] = []
  /** Outer port and transport, to inner address, port and lease. */
  const mappings = new Map<string, string>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requested.push(request.url!)
    if (request.method === 'GET') {
      response.end(behaviour.description?.(usualDescription) ?? usualDescription)
      return
    }
    const action = /#(\w+)"$/.exec(String(request.headers['soapaction']))?.[1] ?? ''
    const args = new Map(
      [...(await text(request)).matchAll(/<(New\w+)>([^<]*)</g)].map((found) => [found[1]!, found[2]!]),
    )
    const call = { action, args }
    calls.push(call)
    const refusal = request.url === '/control?a=1&b=2' ? behaviour.refuse?.(call) : 401
    if (refusal !== undefined) {
      response.statusCode = 500
      response.end(
        envelope(`<s:Fault><detail><UPnPError><errorCode>${refusal}</errorCode></UPnPError></detail></s:Fault>`),
      )
      return
    }
    const place = `${args.get('NewExternalPort')} ${args.get('NewProtocol')}`
    const inner = ['NewInternalClient', 'NewInternalPort', 'NewLeaseDuration'].map((name) => args.get(name)).join(' ')
    if (action === 'AddPortMapping') mappings.set(place, inner)
    if (action === 'DeletePortMapping') mappings.delete(place)
    const result = action === 'GetExternalIPAddress' ? '<NewExternalIPAddress>203.0.113.7</NewExternalIPAddress>' : ''
    response.end(envelope(`<u:${action}Response xmlns:u="${service}">${result}</u:${action}Response>`))
  }

  const http = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  const udp = createSocket('udp4').bind(0, '127.0.0.1')
  await Promise.all([once(http, 'listening'), once(udp, 'listening')])
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/description.xml`
  udp.on('message', (bytes, from) => {
    const kind = /^ST: (\S+:InternetGatewayDevice:1)\r$/m.exec(bytes.toString())?.[1]
    if (!kind) return
    for (const location of behaviour.locations?.(url) ?? [url])
      udp.send(
        ['HTTP/1.1 200 OK', `ST: ${kind}`, `Location: ${location}`, '', ''].join('\r\n'),
        from.port,
        from.address,
      )
  })

  let open = true
  return {
    /** Where it listens for the search. */
    place: { ip: '127.0.0.1', port: udp.address().port },
    calls,
    requested,
    mappings,
    async stop(): Promise<void> {
      if (!open) return
      open = false
      udp.close()
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>
