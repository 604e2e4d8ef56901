import type { LogKeeperStatus } from '../../../chain/logs/logKeeper.ts'
import type { BlockNumberRef } from '../../codecs/blockRef.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { boolean } from '../../codecs/boolean.ts'
import type { Encoder } from '../../codecs/codec.ts'
import { count } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { method, optionalParam } from '../../protocol/method.ts'

interface Answer extends LogKeeperStatus {
  readonly accepted: boolean
}

const endText: Encoder<number | undefined> = {
  schema: { type: 'string' },
  encode: (block) => (block === undefined ? '"latest"' : count.encode(block)),
}

const statusObject = record<Answer>('log index status', (member) => [
  member('startBlock', count, ({ startBlock }) => startBlock),
  member('endBlock', endText, ({ endBlock }) => endBlock),
  member('currentBlock', count, ({ currentBlock }) => currentBlock),
  member('indexing', boolean, ({ indexing }) => indexing),
  member('requestAccepted', boolean, ({ accepted }) => accepted),
])

/** The block number; undefined for the head, which moves. */
function numberIn(ref: BlockNumberRef): number | undefined {
  if ('number' in ref) return Number(ref.number)
  return ref.tag === 'earliest' ? 0 : undefined
}

export const admin_generateLogBloomCache = method({
  name: 'admin_generateLogBloomCache',
  doc:
    'Starts indexing the logs of a range of blocks (the end is exclusive, the start is rounded down to a multiple of ' +
    '100,000). Returns the status of the log index; the request is not accepted while it is busy or the range is empty.',
  needs: ['logIndex'],
  params: [optionalParam('startBlock', blockNumber), optionalParam('endBlock', blockNumber)],
  result: statusObject,
  example: ['0x0', 'latest'],
  handler({ logIndex }, [first, last]) {
    const start = first === undefined ? 0 : numberIn(first)
    const end = last === undefined ? (first === undefined ? 0 : undefined) : numberIn(last)
    const sensible = start !== undefined && (end === undefined || start < end)
    const accepted = sensible && logIndex.generate(start, end)
    return { ...logIndex.status(), accepted }
  },
})
