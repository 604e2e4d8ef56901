import { dictionary, record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import type { ServicePlace } from '../../protocol/context.ts'
import { method } from '../../protocol/method.ts'

const place = record<ServicePlace>('service', (member) => [
  member('host', text, ({ host }) => host),
  member('port', text, ({ port }) => String(port)),
])

/** Besu tells of these alone. */
const told = new Set(['jsonrpc', 'ws', 'p2p', 'metrics'])

export const net_services = method({
  name: 'net_services',
  doc: 'Where the services of the node listen that are enabled: jsonrpc, ws, p2p, metrics.',
  needs: ['services'],
  params: [],
  result: dictionary(place),
  handler: ({ services }) => new Map([...services.places()].filter(([name]) => told.has(name))),
})
