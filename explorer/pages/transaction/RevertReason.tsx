import type { Hex } from 'viem'
import { abisFor } from '../../data/abiStore.ts'
import type { Receipt, Transaction } from '../../data/objects.ts'
import { type Ask, RpcError } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import type { CallFrame } from '../../decode/callTree.ts'
import { explainRevert } from '../../decode/revertReason.ts'
import { Waiting } from '../../parts/Notes.tsx'
import { Text } from '../../parts/Text.tsx'

/** What a contract returned when it reverted, or a sentence of the node. */
type Reason = { readonly output: Hex | undefined } | { readonly sentence: string }

/** Why a transaction failed: from its receipt, by tracing it, or by calling the same before its block. */
async function findReason(ask: Ask, tx: Transaction, receipt: Receipt, traces: boolean): Promise<Reason> {
  if (receipt.revertReason) return { output: receipt.revertReason }
  if (traces) {
    const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
    const frame = await ask<CallFrame>('debug_traceTransaction', [tx.hash, options])
    return frame.error && !/revert/i.test(frame.error) ? { sentence: `${frame.error}.` } : { output: frame.output }
  }
  const { from, to, value, input, gas } = tx
  const before = `0x${(BigInt(receipt.blockNumber) - 1n).toString(16)}`
  try {
    await ask('eth_call', [{ from, to, value, input, gas }, before])
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return typeof error.data === 'string' ? { output: error.data as Hex } : { sentence: error.message }
  }
  return {
    sentence:
      'The reason depends on transactions of the same block before it; with the namespace DEBUG it would be shown.',
  }
}

/** Why a transaction failed, in words. */
export function RevertReason({ tx, receipt }: { tx: Transaction; receipt: Receipt }) {
  const { ask, namespaces } = useSite()
  const { value, error } = useLoad(`reason ${tx.hash}`, () => findReason(ask, tx, receipt, namespaces.has('DEBUG')))
  if (error) return <span class="soft">The reason cannot be found out.</span>
  if (value === undefined) return <Waiting />
  const text = 'sentence' in value ? value.sentence : explainRevert(value.output, abisFor(tx.to, receipt.blockNumber))
  return <Text value={text} max={500} />
}
