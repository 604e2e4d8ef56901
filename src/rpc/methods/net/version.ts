import { text } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

export const net_version = method({
  name: 'net_version',
  doc: 'Returns the network id as a decimal string.',
  needs: ['client'],
  params: [],
  result: text,
  handler: ({ client }) => String(client.networkId),
})
