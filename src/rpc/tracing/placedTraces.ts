import type { ChainView, SealedBlock } from '../../chain/view.ts'
import type { Ground } from '../../execution/tracing/ground.ts'
import { rewardTraces } from '../../execution/tracing/rewardTraces.ts'
import type { TracedOutcome, TracedTx } from '../../execution/tracing/traceTxs.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { txHash } from '../../types/encodeTx.ts'
import { blockReward } from '../blocks/minerData.ts'
import type { EvmPort, TracesPort } from '../protocol/context.ts'
import { watchBesuTraces } from './besuTraces.ts'
import type { PlacedTrace } from './flatTraceObject.ts'
import { replay, replayOne } from './replay.ts'

/** The ports that replaying takes. */
export interface TracingPorts {
  readonly chain: ChainView
  readonly evm: EvmPort
  readonly traces: TracesPort
}

const flatOnly = new Set(['trace'] as const)

function watchFlat({ evm, traces }: TracingPorts, sealed: SealedBlock, traced: TracedTx, ground: Ground) {
  const { tracer, finish } = watchBesuTraces(evm.trace, ground, traced, flatOnly, traces)
  const tx = { hash: txHash(traced.tx), index: traced.index }
  const place = { blockHash: sealed.hash, blockNumber: sealed.header.number, tx }
  return {
    tracer,
    finish: (outcome: TracedOutcome): PlacedTrace[] => finish(outcome).flat!.map((trace) => ({ trace, place })),
  }
}

/** Traces of the transactions of a block, without rewards. */
export function tracesOfBlock(ports: TracingPorts, sealed: SealedBlock): PlacedTrace[] {
  const { evm, chain } = ports
  return replay(evm, chain, sealed.block, (traced, ground) => watchFlat(ports, sealed, traced, ground))?.flat() ?? []
}

/** What a block paid. */
export function rewardsOfBlock({ chain, evm }: TracingPorts, { header, hash, block }: SealedBlock): PlacedTrace[] {
  const producer = evm.beneficiaryOf?.(header) ?? header.beneficiary
  const place = { blockHash: hash, blockNumber: header.number, tx: undefined }
  const reward = blockReward(evm, header, chain.rulesOf(header))
  return rewardTraces(block, producer, reward).map((trace) => ({ trace, place }))
}

/** Traces of a canonical transaction; none where there is no such one. */
export function tracesOfTx(ports: TracingPorts, hash: Hash32): PlacedTrace[] {
  const place = ports.chain.findTx(hash)
  const sealed = place && ports.chain.blockAt(place.blockNumber)
  if (!sealed) return []
  const { evm, chain } = ports
  const watch = (traced: TracedTx, ground: Ground) => watchFlat(ports, sealed, traced, ground)
  return replayOne(evm, chain, sealed.block, place.index, watch) ?? []
}
