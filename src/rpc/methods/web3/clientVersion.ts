import { text } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

export const web3_clientVersion = method({
  name: 'web3_clientVersion',
  doc: 'Returns name, version and platform of the node.',
  needs: ['client'],
  params: [],
  result: text,
  handler: ({ client }) => client.version,
})
