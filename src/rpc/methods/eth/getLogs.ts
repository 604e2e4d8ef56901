import type { ChainView } from '../../../chain/view.ts'
import { isJsonObject } from '../../../primitives/json.ts'
import { numberOf } from '../../blocks/resolveBlock.ts'
import { magnitudeOf } from '../../calls/magnitude.ts'
import type { BlockNumberRef } from '../../codecs/blockRef.ts'
import { filterOptions } from '../../codecs/filterOptions.ts'
import { listEncoder } from '../../codecs/list.ts'
import { logConditionsOf } from '../../events/logQuery.ts'
import { logObject } from '../../objects/log.ts'
import { invalidParams, RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

/** Unlike elsewhere, an unknown safe or finalized block is an invalid parameter. */
function edge(chain: ChainView, ref: BlockNumberRef): bigint {
  if ('tag' in ref && (ref.tag === 'safe' || ref.tag === 'finalized') && !chain[ref.tag]) throw invalidParams()
  return numberOf(chain, ref)
}

/** How many blocks a filter names, roughly, and whether it narrows them down. */
function widthOf(filter: unknown): string {
  if (!isJsonObject(filter)) return ''
  const { fromBlock, toBlock, address, topics } = filter
  return `${magnitudeOf(Number(toBlock) - Number(fromBlock))} ${address ? 'address' : ''} ${topics ? 'topics' : ''}`
}

export const eth_getLogs = method({
  name: 'eth_getLogs',
  doc: 'Returns the logs that match a filter, in a range of blocks or in one block by hash.',
  needs: ['chain', 'limits'],
  params: [param('filter', filterOptions)],
  result: listEncoder(logObject),
  errors: [[-32005, 'The block range exceeds `--rpc-max-logs-range`.']],
  example: [{ fromBlock: 'earliest', toBlock: 'latest', topics: [] }],
  alike: ([filter]) => widthOf(filter),
  handler({ chain, limits }, [filter]) {
    const conditions = logConditionsOf(filter)
    if (filter.blockHash) return conditions ? chain.logsOf(filter.blockHash, conditions) : []
    const fromBlock = edge(chain, filter.fromBlock)
    const toBlock = edge(chain, filter.toBlock)
    if (limits.maxLogsRange > 0n && toBlock - fromBlock > limits.maxLogsRange)
      throw new RpcError({ code: 'LOGS_RANGE_EXCEEDED' })
    return conditions ? [...chain.logs({ fromBlock, toBlock, ...conditions })] : []
  },
})
