import { json } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

export const rpc_discover = method({
  name: 'rpc_discover',
  doc: 'Returns the OpenRPC document of the enabled methods.',
  needs: ['server'],
  params: [],
  result: json<object>({ title: 'OpenRPC document', type: 'object' }),
  always: true,
  handler: ({ server }) => server.describe(),
})
