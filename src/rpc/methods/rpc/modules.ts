import { dictionary } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

export const rpc_modules = method({
  name: 'rpc_modules',
  doc: 'Returns the enabled API namespaces with their versions.',
  needs: ['server'],
  params: [],
  result: dictionary(text),
  always: true,
  handler: ({ server }) => new Map(server.namespaces.map((name) => [name.toLowerCase(), '1.0'])),
})
