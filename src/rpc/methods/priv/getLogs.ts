import { privateMethod } from '../../calls/privateMethod.ts'
import { groupText, requireGroup } from '../../codecs/groupParam.ts'
import { listEncoder } from '../../codecs/list.ts'
import { findPrivateLogs, privateLogOptions } from '../../codecs/privateFilterOptions.ts'
import { logObject } from '../../objects/log.ts'
import { param } from '../../protocol/method.ts'

export const priv_getLogs = privateMethod({
  name: 'priv_getLogs',
  doc: 'Returns the logs of a group that match a filter, in a range of blocks or in one block by hash.',
  needs: ['chain'],
  params: [param('privacyGroupId', groupText), param('filter', privateLogOptions)],
  result: listEncoder(logObject),
  errors: [[-32000, 'The private state is behind the range.']],
  example: ['DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=', { fromBlock: 'earliest', toBlock: 'latest' }],
  handler: ({ chain, privacy }, [id, options]) => findPrivateLogs(privacy, chain, requireGroup(id), options),
})
