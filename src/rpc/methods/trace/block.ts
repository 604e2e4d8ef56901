import { numberOf } from '../../blocks/resolveBlock.ts'
import { anyBlockNumber } from '../../codecs/blockRef.ts'
import { listEncoder } from '../../codecs/list.ts'
import { nullable } from '../../codecs/nullable.ts'
import { method, param } from '../../protocol/method.ts'
import { flatTraceObject } from '../../tracing/flatTraceObject.ts'
import { rewardsOfBlock, tracesOfBlock } from '../../tracing/placedTraces.ts'

export const trace_block = method({
  name: 'trace_block',
  doc: 'Returns the call, create, suicide and reward traces of a block; null if there is no such block.',
  needs: ['chain', 'evms', 'traces'],
  params: [param('block', anyBlockNumber)],
  result: nullable(listEncoder(flatTraceObject)),
  example: ['latest'],
  handler(ports, [block]) {
    const hashed = ports.chain.blockAt(numberOf(ports.chain, block))
    if (!hashed) return undefined
    if (hashed.header.number === 0n) return []
    return [...tracesOfBlock(ports, hashed), ...rewardsOfBlock(ports, hashed)]
  },
})
