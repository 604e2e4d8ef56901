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

/** Where a chain ends: what has passed there has passed for the node. */
export interface ForkIdHead {
  readonly number: bigint
  readonly timestamp: bigint
}

function momentsAt(spec: ChainSpec, head: ForkIdHead): { at: bigint; passed: boolean }[] {
  const { blocks, times } = momentsOf(spec)
  return [
    ...blocks.map((at) => ({ at, passed: at <= head.number })),
    ...times.map((at) => ({ at, passed: at <= head.timestamp })),
  ]
}

/** The fork id of a node whose head is at that block and time. */
export function forkIdAt(spec: ChainSpec, genesisHash: Hash32, head: ForkIdHead): ForkId {
  const moments = momentsAt(spec, head)
  let hash = crc32(genesisHash)
  for (const { at, passed } of moments) {
    if (!passed) return { hash, next: at }
    hash = crc32(bigIntToFixed(at, 8), hash)
  }
  return { hash, next: 0n }
}

/** Numbers from here on are times: no chain has that many blocks. */
const firstTime = 1_438_269_973n

/**
 * Whether a peer with that id may follow the same chain. As in Besu, a chain without forks after its genesis block takes
 * any: the genesis hash that comes along says enough.
 */
export function acceptsForkId(spec: ChainSpec, genesisHash: Hash32, head: ForkIdHead, remote: ForkId): boolean {
  return momentsAt(spec, head).length === 0 || isForkIdOf(spec, genesisHash, head, remote)
}

/** Whether that can be the id of a node that follows the same chain (EIP-2124). */
export function isForkIdOf(spec: ChainSpec, genesisHash: Hash32, head: ForkIdHead, remote: ForkId): boolean {
  const moments = momentsAt(spec, head)
  let hash = crc32(genesisHash)
  let upcoming = false
  for (const { at, passed } of [...moments, { at: 0n, passed: false }]) {
    if (hash === remote.hash) {
      // A remote that knows less must at least expect what came next here.
      if (passed) return remote.next === at
      const remoteForkPassed = remote.next <= (remote.next < firstTime ? head.number : head.timestamp)
      // One that is ahead may know whatever comes later; at the same place it must not expect what never came here.
      return upcoming || remote.next === 0n || !remoteForkPassed
    }
    upcoming ||= !passed
    hash = crc32(bigIntToFixed(at, 8), hash)
  }
  return false
}
