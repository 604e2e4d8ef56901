import { headIfUnknown } from '../../blocks/resolveBlock.ts'
import { listEncoder } from '../../codecs/list.ts'
import { text } from '../../codecs/text.ts'
import { logConditionsOf } from '../../events/logQuery.ts'
import { logObject } from '../../objects/log.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getFilterLogs = method({
  name: 'eth_getFilterLogs',
  doc: 'Returns all logs that match a log filter.',
  needs: ['filters', 'chain'],
  params: [param('filterId', text)],
  result: listEncoder(logObject),
  errors: [[-32000, 'Log filter not found, or expired.']],
  example: ['0x1'],
  handler({ filters, chain }, [id]) {
    const options = filters.logOptions(id)
    if (!options) throw new RpcError({ code: 'LOGS_FILTER_NOT_FOUND' })
    const conditions = logConditionsOf(options)
    const fromBlock = headIfUnknown(chain, options.fromBlock)
    const toBlock = headIfUnknown(chain, options.toBlock)
    return conditions ? [...chain.logs({ fromBlock, toBlock, ...conditions })] : []
  },
})
