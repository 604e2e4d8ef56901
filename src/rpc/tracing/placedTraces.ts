import type { ChainView, HashedBlock } from '../../chain/view.ts'
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

function watchFlat({ evm, traces }: TracingPorts, hashed: HashedBlock, traced: TracedTx, ground: Ground) {
  const { tracer, finish } = watchBesuTraces(evm.trace, ground, traced, flatOnly, traces)
  const tx = { hash: txHash(traced.tx), index: traced.index }
  const place = { blockHash: hashed.hash, blockNumber: hashed.header.number, tx }
  return {
    tracer,
    finish: (outcome: TracedOutcome): PlacedTrace[] => finish(outcome).flat!.map((trace) => ({ trace, place })),
  }
}

/** Traces of the transactions of a block, without rewards. */
export function tracesOfBlock(ports: TracingPorts, hashed: HashedBlock): PlacedTrace[] {
  const { evm, chain } = ports
  return replay(evm, chain, hashed.block, (traced, ground) => watchFlat(ports, hashed, traced, ground))?.flat() ?? []
}

/** What a block paid. */
export function rewardsOfBlock({ chain, evm }: TracingPorts, { header, hash, block }: HashedBlock): PlacedTrace[] {
  const producer = evm.beneficiaryOf?.(header) ?? header.beneficiary
  const place = { blockHash: hash, blockNumber: header.number, tx: undefined }
  const reward = blockReward(evm, header, chain.rulesOf(header))
  return rewardTraces(block, producer, reward).map((trace) => ({ trace, place }))
}

/** Traces of a canonical transaction; none where there is no such one. */
export function tracesOfTx(ports: TracingPorts, hash: Hash32): PlacedTrace[] {
  const place = ports.chain.findTx(hash)
  const hashed = place && ports.chain.blockAt(place.blockNumber)
  if (!hashed) return []
  const { evm, chain } = ports
  const watch = (traced: TracedTx, ground: Ground) => watchFlat(ports, hashed, traced, ground)
  return replayOne(evm, chain, hashed.block, place.index, watch) ?? []
}
