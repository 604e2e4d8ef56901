import { hash } from '../../codecs/bytes.ts'
import type { Encoder } from '../../codecs/codec.ts'
import { listEncoder } from '../../codecs/list.ts'
import { text } from '../../codecs/text.ts'
import type { FilterChanges } from '../../events/filters.ts'
import { logObject } from '../../objects/log.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

const logs = listEncoder(logObject)
const hashes = listEncoder(hash)

const changes: Encoder<FilterChanges> = {
  schema: { oneOf: [logs.schema, hashes.schema] },
  encode: (found) => ('logs' in found ? logs.encode(found.logs) : hashes.encode(found.hashes)),
  stream: (found) => ('logs' in found ? logs.stream?.(found.logs) : hashes.stream?.(found.hashes)),
}

export const eth_getFilterChanges = method({
  name: 'eth_getFilterChanges',
  doc: 'Returns what a filter has collected since the last poll: logs, or hashes of blocks or transactions.',
  needs: ['filters', 'chain'],
  params: [param('filterId', text)],
  result: changes,
  errors: [[-32000, 'Filter not found, or expired.']],
  example: ['0x1'],
  handler({ filters, chain }, [id]) {
    const found = filters.changes(id, chain)
    if (!found) throw new RpcError({ code: 'FILTER_NOT_FOUND' })
    return found
  },
})
