import type { ChainView } from '../../../chain/view.ts'
import { headIfUnknown } from '../../blocks/resolveBlock.ts'
import { type BlockNumberRef, blockNumber } from '../../codecs/blockRef.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { cacheStatus } from '../../objects/cacheStatus.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, optionalParam } from '../../protocol/method.ts'

/** A block; an empty string counts as an absent parameter. */
const skippable: Decoder<BlockNumberRef | undefined> = {
  schema: blockNumber.schema,
  decode: (json) => (json === '' ? undefined : blockNumber.decode(json)),
}

function existing(chain: ChainView, ref: BlockNumberRef): bigint {
  const number = headIfUnknown(chain, ref)
  if (number > chain.head.header.number) throw invalidParams(`block ${number} not found`)
  return number
}

export const admin_logsRemoveCache = method({
  name: 'admin_logsRemoveCache',
  doc:
    'Removes the log index of the segments of 100,000 blocks from one block to another: without parameters, of all ' +
    'blocks; with the first only, of its segment; with the second only, up to it. Logs of these blocks are then found ' +
    'by header blooms. Ends the generation or repair of the index. Returns the status.',
  needs: ['chain', 'logIndex'],
  params: [optionalParam('fromBlock', skippable), optionalParam('toBlock', skippable)],
  result: cacheStatus,
  errors: [[-32602, 'Block not found.']],
  example: ['0x0', '0x0'],
  handler({ chain, logIndex }, [first, last]) {
    const start = first ? existing(chain, first) : 0n
    const end = last ? existing(chain, last) : first ? start : chain.head.header.number
    if (end < start) throw invalidParams()
    logIndex.remove(Number(start), Number(end))
    return 'Cache Removed'
  },
})
