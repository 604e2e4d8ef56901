import { hash } from '../../codecs/bytes.ts'
import { pieces } from '../../codecs/pieces.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { watchBesuTraces } from '../../tracing/besuTraces.ts'
import { replayOne } from '../../tracing/replay.ts'
import { resultPieces, resultSchema } from '../../tracing/resultPieces.ts'
import { traceTypes } from '../../tracing/traceTypes.ts'

/** Not in Besu 23.10; as in OpenEthereum, Erigon, Reth and Nethermind, where an unknown transaction is an error. */
export const trace_replayTransaction = method({
  name: 'trace_replayTransaction',
  doc: 'Executes a mined transaction again and returns the requested traces.',
  needs: ['chain', 'evms', 'traces'],
  params: [param('hash', hash), param('types', traceTypes)],
  result: pieces(resultSchema),
  errors: [[-32000, 'Transaction not found, or the state before it is not available.']],
  example: [`0x${'ab'.repeat(32)}`, ['trace']],
  handler({ chain, evms, traces }, [wanted, types]) {
    const place = chain.findTx(wanted)
    const hashed = place && chain.blockAt(place.blockNumber)
    const found =
      hashed &&
      replayOne(evms, chain, hashed.block, place.index, (one, context) => watchBesuTraces(context, one, types, traces))
    if (!found) throw new RpcError({ code: 'TRANSACTION_NOT_FOUND' })
    return resultPieces(found, undefined)
  },
})
