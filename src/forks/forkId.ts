import { crc32 } from 'node:zlib'
import type { Hash32 } from '../primitives/bytes.ts'
import { bigIntToFixed } from '../primitives/u256.ts'
import type { ChainSpec } from './chainSpec.ts'

/** What tells apart networks, and nodes of one network that know different forks (EIP-2124). */
export interface ForkId {
  /** Checksum over the genesis hash and the forks passed so far. */
  readonly hash: number
  /** Block or time of the next fork; 0 when none is known. */
  readonly next: bigint
}

/** Distinct moments at which rules change after the genesis block, in order: by block, then by time. */
function momentsOf({ activations, blobChanges, genesis }: ChainSpec): { blocks: bigint[]; times: bigint[] } {
  const ascending = (moments: readonly bigint[], after: bigint) =>
    [...new Set(moments)].filter((moment) => moment > after).sort((a, b) => (a < b ? -1 : 1))
  const at = (by: 'block' | 'time') => activations.filter((one) => one.by === by).map((one) => one.at)
  return {
    blocks: ascending(at('block'), 0n),
    times: ascending([...at('time'), ...blobChanges.map(({ time }) => time)], genesis.timestamp),
  }
}

/** The fork id of a node whose head is at that block and time. */
export function forkIdAt(spec: ChainSpec, genesisHash: Hash32, head: { number: bigint; timestamp: bigint }): ForkId {
  const { blocks, times } = momentsOf(spec)
  const moments = [
    ...blocks.map((at) => ({ at, passed: at <= head.number })),
    ...times.map((at) => ({ at, passed: at <= head.timestamp })),
  ]
  let hash = crc32(genesisHash)
  for (const { at, passed } of moments) {
    if (!passed) return { hash, next: at }
    hash = crc32(bigIntToFixed(at, 8), hash)
  }
  return { hash, next: 0n }
}
