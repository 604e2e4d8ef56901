import { privateMethod } from '../../calls/privateMethod.ts'
import { groupText, requireGroup } from '../../codecs/groupParam.ts'
import { listEncoder } from '../../codecs/list.ts'
import { findPrivateLogs } from '../../codecs/privateFilterOptions.ts'
import { text } from '../../codecs/text.ts'
import { logObject } from '../../objects/log.ts'
import { RpcError } from '../../protocol/fault.ts'
import { param } from '../../protocol/method.ts'

export const priv_getFilterLogs = privateMethod({
  name: 'priv_getFilterLogs',
  doc: 'Returns all logs of a group that match a filter.',
  needs: ['chain'],
  params: [param('privacyGroupId', groupText), param('filterId', text)],
  result: listEncoder(logObject),
  errors: [[-32000, 'The group has no such filter, or it has expired.']],
  example: ['DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=', '0x1'],
  handler({ chain, privacy }, [group, id]) {
    const options = privacy.filters.options(group, id)
    if (!options) throw new RpcError({ code: 'LOGS_FILTER_NOT_FOUND' })
    return findPrivateLogs(privacy, chain, requireGroup(group), options)
  },
})
