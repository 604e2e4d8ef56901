import type { ServicePlace } from '../rpc/protocol/context.ts'

/** URL schemes of services; those that are not listed use HTTP. */
const schemes: Readonly<Record<string, string>> = { ws: 'ws', p2p: 'tcp' }
/** The path at which a service answers, where it is not the root. */
const paths: Readonly<Record<string, string>> = { graphql: '/graphql', metrics: '/metrics' }

/** The URLs of the services that listen, by name, as a client on this machine uses them. */
export function serviceUrls(places: ReadonlyMap<string, ServicePlace>): Map<string, string> {
  return new Map([...places].map(([name, place]) => [name, urlOf(name, place)]))
}

function urlOf(name: string, { host, port, isSecure }: ServicePlace): string {
  return `${schemes[name] ?? 'http'}${isSecure ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${port}${paths[name] ?? ''}`
}
