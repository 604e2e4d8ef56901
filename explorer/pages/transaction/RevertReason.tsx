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

/** Why a transaction failed: from its receipt, by tracing it, or by calling the same before its block. */
async function findReason(ask: Ask, tx: Transaction, receipt: Receipt, traces: boolean): Promise<string> {
  const abis = abisFor(tx.to)
  if (receipt.revertReason) return explainRevert(receipt.revertReason, abis)
  if (traces) {
    const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
    const frame = await ask<CallFrame>('debug_traceTransaction', [tx.hash, options])
    return frame.error && !/revert/i.test(frame.error) ? `${frame.error}.` : explainRevert(frame.output, abis)
  }
  const { from, to, value, input, gas } = tx
  const before = `0x${(BigInt(receipt.blockNumber) - 1n).toString(16)}`
  try {
    await ask('eth_call', [{ from, to, value, input, gas }, before])
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return typeof error.data === 'string' ? explainRevert(error.data as Hex, abis) : error.message
  }
  return 'The reason depends on transactions of the same block before it; with the namespace DEBUG it would be shown.'
}

/** Why a transaction failed, in words. */
export function RevertReason({ tx, receipt }: { tx: Transaction; receipt: Receipt }) {
  const { ask, namespaces } = useSite()
  const { value, error } = useLoad(`reason ${tx.hash}`, () => findReason(ask, tx, receipt, namespaces.has('DEBUG')))
  if (error) return <span class="soft">The reason cannot be found out.</span>
  return value === undefined ? <Waiting /> : <Text value={value} max={500} />
}
