import { decodeRawTx } from '../../../query/decodeRawTx.ts'
import { senderOf } from '../../../types/signTx.ts'
import { accessListOf, maxGasPriceOf } from '../../../types/transaction.ts'
import { data } from '../../codecs/bytes.ts'
import { pieces } from '../../codecs/pieces.ts'
import { traceCallErrors } from '../../protocol/errorDocs.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { signedExample } from '../../protocol/signedExample.ts'
import { resultPieces, resultSchema } from '../../tracing/resultPieces.ts'
import { traceCalls } from '../../tracing/traceCalls.ts'
import { traceTypes } from '../../tracing/traceTypes.ts'

/** The nonce is not checked, so that a mined transaction can be executed again. */
export const trace_rawTransaction = method({
  name: 'trace_rawTransaction',
  doc: 'Executes a signed transaction on the latest state without submitting it, and returns the requested traces.',
  needs: ['budget', 'chain', 'evms', 'traces'],
  params: [param('transaction', data), param('types', traceTypes)],
  fixedCount: true,
  result: pieces(resultSchema),
  errors: traceCallErrors,
  example: [signedExample, ['trace']],
  handler(ports, [raw, types]) {
    const tx = decodeRawTx(raw)?.tx
    const from = tx && senderOf(tx)
    if (!tx || !from) throw invalidParams()
    const priced = tx.type === 0 || tx.type === 1
    const call = {
      ...{ from, to: tx.to, gas: tx.gasLimit, value: tx.value, data: tx.data, nonce: undefined, strict: true },
      gasPrice: priced ? tx.gasPrice : undefined,
      maxFee: priced ? undefined : maxGasPriceOf(tx),
      maxPriorityFee: priced ? undefined : tx.maxPriorityFee,
      maxBlobFee: tx.type === 3 ? tx.maxBlobFee : undefined,
      accessList: tx.type === 0 ? undefined : accessListOf(tx),
      blobHashes: tx.type === 3 ? tx.blobHashes : undefined,
      authorizations: tx.type === 4 ? tx.authorizations : undefined,
    }
    const [traces] = traceCalls(ports, ports.chain.head, [{ call, types }])
    return resultPieces(traces!, undefined)
  },
})
