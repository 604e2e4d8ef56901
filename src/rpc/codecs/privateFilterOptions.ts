import { matchesLog } from '../../chain/logs/logIndex.ts'
import type { ChainView } from '../../chain/view.ts'
import { numberOf } from '../blocks/resolveBlock.ts'
import { logConditionsOf } from '../events/logQuery.ts'
import type { ShownLog } from '../objects/log.ts'
import type { PrivacyPort } from '../protocol/privacyPorts.ts'
import type { Decoder } from './codec.ts'
import { type FilterOptions, filterOptions } from './filterOptions.ts'
import { decodeObject } from './jsonObject.ts'

/** The filter of priv_getLogs: without `fromBlock` it begins with the genesis block. */
export const privateLogOptions: Decoder<FilterOptions> = {
  schema: filterOptions.schema,
  decode(json) {
    const options = filterOptions.decode(json)
    return (decodeObject(json)['fromBlock'] ?? undefined) === undefined
      ? { ...options, fromBlock: { number: 0n } }
      : options
  },
}

/** The logs of a group that match a filter, once the private state is that far. */
export async function findPrivateLogs(
  privacy: PrivacyPort,
  chain: ChainView,
  group: Uint8Array,
  options: FilterOptions,
): Promise<readonly ShownLog[]> {
  const conditions = logConditionsOf(options)
  const block = options.blockHash && chain.headerBy(options.blockHash)
  if (!conditions || (options.blockHash && !block)) return []
  const head = chain.head.header.number
  const from = block ? block.header.number : numberOf(chain, options.fromBlock)
  const wanted = block ? block.header.number : numberOf(chain, options.toBlock)
  const to = wanted < head ? wanted : head
  if (from > to) return []
  await privacy.reach(group, to)
  return privacy.logs(chain, group, Number(from), Number(to)).filter((log) => matchesLog(log, conditions))
}
