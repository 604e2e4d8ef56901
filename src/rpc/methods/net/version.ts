import { text } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

export const net_version = method({
  name: 'net_version',
  doc: 'Network id, as a decimal text.',
  needs: ['client'],
  params: [],
  result: text,
  handler: ({ client }) => String(client.networkId),
})
