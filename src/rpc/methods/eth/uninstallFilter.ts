import { boolean } from '../../codecs/boolean.ts'
import { text } from '../../codecs/text.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_uninstallFilter = method({
  name: 'eth_uninstallFilter',
  doc: 'Removes a filter. Returns false if it does not exist.',
  needs: ['filters'],
  params: [param('filterId', text)],
  result: boolean,
  example: ['0x1'],
  handler: ({ filters }, [id]) => filters.remove(id),
})
