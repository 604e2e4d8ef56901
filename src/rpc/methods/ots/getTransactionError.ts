import { emptyBytes } from '../../../primitives/bytes.ts'
import { data, hash } from '../../codecs/bytes.ts'
import { txErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'
import { requireTx } from '../../tracing/callTrees.ts'
import { replayOne } from '../../tracing/replay.ts'

export const ots_getTransactionError = method({
  name: 'ots_getTransactionError',
  doc: 'Returns what a mined transaction reverted with, such as an ABI-encoded `Error(string)`; `0x` if it did not revert.',
  needs: ['chain', 'evms'],
  params: [param('hash', hash)],
  result: data,
  errors: txErrors,
  example: [`0x${'ab'.repeat(32)}`],
  handler(ports, [wanted]) {
    const { hashed, index } = requireTx(ports, wanted)
    const { outcome, revertReason } = ports.chain.receiptAt(hashed.hash, index)!.receipt
    if (outcome === 1) return emptyBytes
    if (revertReason) return revertReason
    const watch = {
      tracer: undefined,
      finish: ({ halt, output }: { halt: string; output: Uint8Array }) => ({ halt, output }),
    }
    const ended = replayOne(ports.evms, ports.chain, hashed.block, index, () => watch)
    return ended?.halt === 'revert' ? ended.output : emptyBytes
  },
})
