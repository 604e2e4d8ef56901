import { txHash } from '../../../types/encodeTx.ts'
import { numberOf } from '../../blocks/resolveBlock.ts'
import { anyBlockNumber } from '../../codecs/blockRef.ts'
import { nullable } from '../../codecs/nullable.ts'
import { arrayOfPieces, pieces } from '../../codecs/pieces.ts'
import { method, param } from '../../protocol/method.ts'
import { watchBesuTraces } from '../../tracing/besuTraces.ts'
import { replay } from '../../tracing/replay.ts'
import { resultPieces, resultSchema } from '../../tracing/resultPieces.ts'
import { traceTypes } from '../../tracing/traceTypes.ts'

export const trace_replayBlockTransactions = method({
  name: 'trace_replayBlockTransactions',
  doc: 'Executes the transactions of a block again and returns the requested traces; null if there is no such block.',
  needs: ['chain', 'evms', 'traces'],
  params: [param('block', anyBlockNumber), param('types', traceTypes)],
  result: nullable(pieces({ type: 'array', items: resultSchema })),
  example: ['latest', ['trace']],
  handler({ chain, evms, traces }, [ref, types]) {
    const hashed = chain.blockAt(numberOf(chain, ref))
    if (!hashed) return undefined
    if (hashed.header.number === 0n) return ['[]']
    const results = replay(evms, chain, hashed.block, (one, context) => {
      const { tracer, finish } = watchBesuTraces(context, one, types, traces)
      return { tracer, finish: (outcome) => resultPieces(finish(outcome), { hash: txHash(one.tx) }) }
    })
    return arrayOfPieces(results ?? [])
  },
})
