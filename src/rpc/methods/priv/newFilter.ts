import { privateMethod } from '../../calls/privateMethod.ts'
import { filterOptions } from '../../codecs/filterOptions.ts'
import { groupText, requireGroup } from '../../codecs/groupParam.ts'
import { quantity } from '../../codecs/quantity.ts'
import { param } from '../../protocol/method.ts'

export const priv_newFilter = privateMethod({
  name: 'priv_newFilter',
  doc: 'Creates a filter that collects matching logs of a group. Returns its id. Filters expire after ten minutes without a poll.',
  needs: [],
  params: [param('privacyGroupId', groupText), param('filter', filterOptions)],
  result: quantity,
  errors: [[-32005, 'There are too many filters.']],
  example: ['DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=', { topics: [] }],
  handler({ privacy }, [id, options]) {
    requireGroup(id)
    return privacy.filters.add(id, options)
  },
})
