import { dictionary } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

export const quoin_getAddressNames = method({
  name: 'quoin_getAddressNames',
  doc: 'Returns the names of addresses in the file of `--address-names-file`, by address in lower case.',
  needs: ['names'],
  params: [],
  result: dictionary(text),
  handler: ({ names }) => names.all(),
})
