import type { Clock } from '../../primitives/clock.ts'
import { NetError } from '../fault.ts'
import { isUsableIp } from '../ip.ts'
import { askDevice } from './askDevice.ts'
import { urlAt } from './searchGateways.ts'
import { xmlElements, xmlText } from './xmlText.ts'

export type Transport = 'TCP' | 'UDP'

export interface MappingRequest {
  readonly transport: Transport
  readonly outerPort: number
  readonly innerPort: number
  /** Shown to whoever looks at the router's list. */
  readonly name: string
  /** Seconds; 0 keeps it for good. */
  readonly lease: number
}

/** A router that forwards ports to this machine. */
export interface Gateway {
  readonly url: string
  /** Its address on the other side. */
  outerIp(signal?: AbortSignal): Promise<string>
  addMapping(mapping: MappingRequest, signal?: AbortSignal): Promise<void>
  deleteMapping(mapping: Pick<MappingRequest, 'transport' | 'outerPort'>, signal?: AbortSignal): Promise<void>
}

/** Services that forward ports, by their names in descriptions. */
const services = /^urn:schemas-upnp-org:service:(WANIPConnection:[12]|WANPPPConnection:1)$/

/** Reads how a router wants to be spoken with. */
export async function openGateway(description: URL, clock: Clock, signal: AbortSignal): Promise<Gateway> {
  const { status, text: xml, localIp } = await askDevice({ url: description }, clock, signal)
  if (status !== 200) throw failed(`it answers ${status}`)
  const found = xmlElements(xml, 'service').find((service) => services.test(xmlText(service, 'serviceType') ?? ''))
  if (!found) throw failed('it forwards no ports')
  const type = xmlText(found, 'serviceType')!
  const url = urlAt(xmlText(found, 'controlURL') ?? '', description.hostname, description)
  if (!url) throw failed('it names a place that is not its own')

  async function call(action: string, args: Readonly<Record<string, string | number>>, signal?: AbortSignal) {
    const headers = { 'Content-Type': 'text/xml; charset="utf-8"', SOAPAction: `"${type}#${action}"` }
    const answer = await askDevice({ url: url!, post: { headers, body: envelope(type, action, args) } }, clock, signal)
    if (answer.status === 200) return answer.text
    const refusal = Number(xmlText(answer.text, 'errorCode'))
    throw failed(`it refuses ${action}: ${refusal || answer.status}`, refusal)
  }

  return {
    url: description.href,
    async outerIp(signal) {
      const ip = xmlText(await call('GetExternalIPAddress', {}, signal), 'NewExternalIPAddress') ?? ''
      if (!isUsableIp(ip)) throw failed('it does not know its outer address')
      return ip
    },
    async addMapping({ transport, outerPort, innerPort, name, lease }, signal) {
      const args = {
        NewRemoteHost: '',
        NewExternalPort: outerPort,
        NewProtocol: transport,
        NewInternalPort: innerPort,
        NewInternalClient: localIp,
        NewEnabled: 1,
        NewPortMappingDescription: name,
        NewLeaseDuration: lease,
      }
      await call('AddPortMapping', args, signal)
    },
    async deleteMapping({ transport, outerPort }, signal) {
      const args = { NewRemoteHost: '', NewExternalPort: outerPort, NewProtocol: transport }
      await call('DeletePortMapping', args, signal)
    },
  }
}

function failed(reason: string, refusal?: number): NetError {
  return new NetError({ code: 'GATEWAY_FAILED', reason, ...(refusal && { refusal }) })
}

/** A call in SOAP; nothing in our arguments needs escaping. */
function envelope(type: string, action: string, args: Readonly<Record<string, string | number>>): string {
  const inner = Object.entries(args).map(([name, value]) => `<${name}>${value}</${name}>`)
  return [
    '<?xml version="1.0"?>',
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"',
    ' s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>',
    `<u:${action} xmlns:u="${type}">${inner.join('')}</u:${action}>`,
    '</s:Body></s:Envelope>',
  ].join('')
}
