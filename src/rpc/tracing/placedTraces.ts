import type { HashedBlock } from '../../chain/view.ts'
import type { TxOutcome } from '../../execution/runTx.ts'
import { rewardTraces } from '../../execution/tracing/rewardTraces.ts'
import type { TraceContext } from '../../execution/tracing/traceContext.ts'
import type { TracedTx } from '../../execution/tracing/traceTxs.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { txHash } from '../../types/encodeTx.ts'
import { blockReward } from '../blocks/minerData.ts'
import { watchBesuTraces } from './besuTraces.ts'
import type { PlacedTrace } from './flatTraceObject.ts'
import { replay, replayOne, type TracingPorts } from './replay.ts'

const flatOnly = new Set(['trace'] as const)

function watchFlat({ traces }: TracingPorts, hashed: HashedBlock, traced: TracedTx, context: TraceContext) {
  const { tracer, finish } = watchBesuTraces(context, traced, flatOnly, traces)
  const tx = { hash: txHash(traced.tx), index: traced.index }
  const place = { blockHash: hashed.hash, blockNumber: hashed.header.number, tx }
  return {
    tracer,
    finish: (outcome: TxOutcome): PlacedTrace[] => finish(outcome).flat!.map((trace) => ({ trace, place })),
  }
}

/** Traces of the transactions of a block, without rewards. */
export function tracesOfBlock(ports: TracingPorts, hashed: HashedBlock): PlacedTrace[] {
  const { evms, chain } = ports
  return replay(evms, chain, hashed.block, (traced, context) => watchFlat(ports, hashed, traced, context))?.flat() ?? []
}

/** What a block paid. */
export function rewardsOfBlock({ chain, evms }: TracingPorts, { header, hash, block }: HashedBlock): PlacedTrace[] {
  const producer = evms.beneficiaryOf?.(header) ?? header.beneficiary
  const place = { blockHash: hash, blockNumber: header.number, tx: undefined }
  const reward = blockReward(evms, header, chain.rulesOf(header))
  return rewardTraces(block, producer, reward).map((trace) => ({ trace, place }))
}

/** Traces of a canonical transaction; none where there is no such one. */
export function tracesOfTx(ports: TracingPorts, hash: Hash32): PlacedTrace[] {
  const place = ports.chain.findTx(hash)
  const hashed = place && ports.chain.blockAt(place.blockNumber)
  if (!hashed) return []
  const { evms, chain } = ports
  const watch = (traced: TracedTx, context: TraceContext) => watchFlat(ports, hashed, traced, context)
  return replayOne(evms, chain, hashed.block, place.index, watch) ?? []
}
