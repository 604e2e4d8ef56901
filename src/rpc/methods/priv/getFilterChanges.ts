import { privateMethod } from '../../calls/privateMethod.ts'
import { groupText } from '../../codecs/groupParam.ts'
import { listEncoder } from '../../codecs/list.ts'
import { text } from '../../codecs/text.ts'
import { logObject } from '../../objects/log.ts'
import { RpcError } from '../../protocol/fault.ts'
import { param } from '../../protocol/method.ts'

export const priv_getFilterChanges = privateMethod({
  name: 'priv_getFilterChanges',
  doc: 'Returns the logs that a filter of a group has collected since the last poll.',
  needs: [],
  params: [param('privacyGroupId', groupText), param('filterId', text)],
  result: listEncoder(logObject),
  errors: [[-32000, 'The group has no such filter, or it has expired.']],
  example: ['DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=', '0x1'],
  handler({ privacy }, [group, id]) {
    const found = privacy.filters.changes(group, id)
    if (!found) throw new RpcError({ code: 'FILTER_NOT_FOUND' })
    return found
  },
})
