import { boolean } from '../../codecs/boolean.ts'
import { text } from '../../codecs/text.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_uninstallFilter = method({
  name: 'eth_uninstallFilter',
  doc: 'Ends a filter; false when there was none.',
  needs: ['filters'],
  params: [param('filterId', text)],
  result: boolean,
  example: ['0x1'],
  handler: ({ filters }, [id]) => filters.remove(id),
})
