import { dictionary, record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import type { ServicePlace } from '../../protocol/context.ts'
import { method } from '../../protocol/method.ts'

const place = record<ServicePlace>('service', (member) => [
  member('host', text, ({ host }) => host),
  member('port', text, ({ port }) => String(port)),
])

/** The services that Besu returns. */
const shown = new Set(['jsonrpc', 'ws', 'p2p', 'metrics'])

export const net_services = method({
  name: 'net_services',
  doc: 'Returns host and port of the enabled services among jsonrpc, ws, p2p and metrics.',
  needs: ['services'],
  params: [],
  result: dictionary(place),
  handler: ({ services }) => new Map([...services.places()].filter(([name]) => shown.has(name))),
})
