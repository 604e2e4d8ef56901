import type { ChainView, SealedBlock } from '../../chain/view.ts'
import { rewardTraces } from '../../execution/tracing/rewardTraces.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { txHash } from '../../types/encodeTx.ts'
import type { EvmPort, TracesPort } from '../context.ts'
import { blockReward } from '../minerData.ts'
import { replay } from '../replay.ts'
import { watchBesuTraces } from './besuTraces.ts'
import type { PlacedTrace } from './flatTraceObject.ts'

/** The ports that replaying takes. */
export interface TracingPorts {
  readonly chain: ChainView
  readonly evm: EvmPort
  readonly traces: TracesPort
}

const flatOnly = new Set(['trace'] as const)

/** Traces of the transactions of a block, or of the one at `index`; without rewards. */
export function tracesOfBlock(ports: TracingPorts, sealed: SealedBlock, only?: number): PlacedTrace[] {
  const { chain, evm, traces } = ports
  const { header, hash: blockHash, block } = sealed
  const traced = replay(
    evm,
    chain,
    block,
    (one, ground) => {
      if (only !== undefined && one.index !== only) return undefined
      const { tracer, finish } = watchBesuTraces(evm.trace, ground, one, flatOnly, traces)
      const tx = { hash: txHash(one.tx), index: one.index }
      const place = { blockHash, blockNumber: header.number, tx }
      return { tracer, finish: (outcome) => finish(outcome).flat!.map((trace) => ({ trace, place })) }
    },
    only === undefined ? undefined : only + 1,
  )
  return (traced ?? []).flat()
}

/** What a block paid. */
export function rewardsOfBlock({ chain, evm }: TracingPorts, { header, hash, block }: SealedBlock): PlacedTrace[] {
  const producer = evm.beneficiaryOf?.(header) ?? header.beneficiary
  const place = { blockHash: hash, blockNumber: header.number, tx: undefined }
  const reward = blockReward(chain.spec, chain.rulesOf(header))
  return rewardTraces(block, producer, reward).map((trace) => ({ trace, place }))
}

/** Traces of a canonical transaction; none where there is no such one. */
export function tracesOfTx(ports: TracingPorts, hash: Hash32): PlacedTrace[] {
  const place = ports.chain.findTx(hash)
  const sealed = place && ports.chain.blockAt(place.blockNumber)
  return sealed ? tracesOfBlock(ports, sealed, place.index) : []
}
