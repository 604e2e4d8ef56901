import type { Clock } from '../../system/clock.ts'
import { NetError } from '../fault.ts'
import { isUsableIp } from '../ip.ts'
import { requestDevice } from './requestDevice.ts'
import { urlAt } from './searchGateways.ts'
import { xmlElements, xmlText } from './xmlText.ts'

export type PortTransport = 'TCP' | 'UDP'

export interface MappingRequest {
  readonly transport: PortTransport
  readonly externalPort: number
  readonly innerPort: number
  /** Description shown in the router's list. */
  readonly name: string
  /** Seconds; 0 is permanent. */
  readonly lease: number
}

/** A router that forwards ports to this machine. */
export interface Gateway {
  readonly url: string
  /** Returns its external IP address. */
  externalIp(signal?: AbortSignal): Promise<string>
  addMapping(mapping: MappingRequest, signal?: AbortSignal): Promise<void>
  deleteMapping(mapping: Pick<MappingRequest, 'transport' | 'externalPort'>, signal?: AbortSignal): Promise<void>
}

/** UPnP services that forward ports. */
const services = /^urn:schemas-upnp-org:service:(WANIPConnection:[12]|WANPPPConnection:1)$/

/** Reads a router's description and returns the router. */
export async function openGateway(description: URL, clock: Clock, signal: AbortSignal): Promise<Gateway> {
  const { status, text: xml, localIp } = await requestDevice({ url: description }, clock, signal)
  if (status !== 200) throw failed(`the router responds with status ${status}`)
  const found = xmlElements(xml, 'service').find((service) => services.test(xmlText(service, 'serviceType') ?? ''))
  if (!found) throw failed('the router does not support port forwarding')
  const type = xmlText(found, 'serviceType')!
  const url = urlAt(xmlText(found, 'controlURL') ?? '', description.hostname, description)
  if (!url) throw failed("the router's control URL is not on the router")

  async function call(action: string, args: Readonly<Record<string, string | number>>, signal?: AbortSignal) {
    const headers = { 'Content-Type': 'text/xml; charset="utf-8"', SOAPAction: `"${type}#${action}"` }
    const answer = await requestDevice(
      { url: url!, post: { headers, body: envelope(type, action, args) } },
      clock,
      signal,
    )
    if (answer.status === 200) return answer.text
    const refusal = Number(xmlText(answer.text, 'errorCode'))
    throw failed(`the router rejects ${action}: ${refusal || answer.status}`, refusal)
  }

  return {
    url: description.href,
    async externalIp(signal) {
      const ip = xmlText(await call('GetExternalIPAddress', {}, signal), 'NewExternalIPAddress') ?? ''
      if (!isUsableIp(ip)) throw failed('the router does not know its external address')
      return ip
    },
    async addMapping({ transport, externalPort, innerPort, name, lease }, signal) {
      const args = {
        NewRemoteHost: '',
        NewExternalPort: externalPort,
        NewProtocol: transport,
        NewInternalPort: innerPort,
        NewInternalClient: localIp,
        NewEnabled: 1,
        NewPortMappingDescription: name,
        NewLeaseDuration: lease,
      }
      await call('AddPortMapping', args, signal)
    },
    async deleteMapping({ transport, externalPort }, signal) {
      const args = { NewRemoteHost: '', NewExternalPort: externalPort, NewProtocol: transport }
      await call('DeletePortMapping', args, signal)
    },
  }
}

function failed(reason: string, refusal?: number): NetError {
  return new NetError({ code: 'GATEWAY_FAILED', reason, ...(refusal && { refusal }) })
}

/** A SOAP request; our arguments need no escaping. */
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
