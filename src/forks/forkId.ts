import { crc32 } from 'node:zlib'
import type { Hash32 } from '../primitives/bytes.ts'
import { bigIntToFixed } from '../primitives/u256.ts'
import type { ChainSpec } from './chainSpec.ts'

/** Identifies a network and the forks that a node knows (EIP-2124). */
export interface ForkId {
  /** Checksum over the genesis hash and the forks passed so far. */
  readonly hash: number
  /** Block or time of the next fork; 0 when none is known. */
  readonly next: bigint
}

/** Returns the distinct blocks and times after genesis at which rules change, in order. */
function momentsOf({ activations, blobChanges, genesis }: ChainSpec): { blocks: bigint[]; times: bigint[] } {
  const ascending = (moments: readonly bigint[], after: bigint) =>
    [...new Set(moments)].filter((moment) => moment > after).sort((a, b) => (a < b ? -1 : 1))
  const at = (by: 'block' | 'time') => activations.filter((one) => one.by === by).map((one) => one.at)
  return {
    blocks: ascending(at('block'), 0n),
    times: ascending([...at('time'), ...blobChanges.map(({ time }) => time)], genesis.timestamp),
  }
}

/** Block number and time of the head: forks up to there are active. */
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

/** Returns the fork id of a node with that head. */
export function forkIdAt(spec: ChainSpec, genesisHash: Hash32, head: ForkIdHead): ForkId {
  const moments = momentsAt(spec, head)
  let hash = crc32(genesisHash)
  for (const { at, passed } of moments) {
    if (!passed) return { hash, next: at }
    hash = crc32(bigIntToFixed(at, 8), hash)
  }
  return { hash, next: 0n }
}

/**
 * Returns the next forks by time that this node and a peer expect, if they differ: one of them has another genesis file, and they will part
 * at the earlier one. 0 stands for none. Undefined if they agree, or if one of them is behind.
 */
export function differentForks(
  own: ForkId,
  remote: ForkId,
): { readonly here: bigint; readonly there: bigint } | undefined {
  const isTime = (next: bigint) => next === 0n || next >= firstTime
  if (own.hash !== remote.hash || own.next === remote.next || !isTime(own.next) || !isTime(remote.next))
    return undefined
  return { here: own.next, there: remote.next }
}

/** Numbers from here on are times: no chain has that many blocks. */
const firstTime = 1_438_269_973n

/**
 * Returns whether a peer with that fork id may be on the same chain. As in Besu, a chain without forks after its genesis
 * block accepts every id: comparing the genesis hash is enough.
 */
export function acceptsForkId(spec: ChainSpec, genesisHash: Hash32, head: ForkIdHead, remote: ForkId): boolean {
  return momentsAt(spec, head).length === 0 || isForkIdOf(spec, genesisHash, head, remote)
}

/** Returns whether the id can be that of a node on the same chain (EIP-2124). */
export function isForkIdOf(spec: ChainSpec, genesisHash: Hash32, head: ForkIdHead, remote: ForkId): boolean {
  const moments = momentsAt(spec, head)
  let hash = crc32(genesisHash)
  let upcoming = false
  for (const { at, passed } of [...moments, { at: 0n, passed: false }]) {
    if (hash === remote.hash) {
      // A remote with fewer active forks must announce the fork that came next here.
      if (passed) return remote.next === at
      const remoteForkPassed = remote.next <= (remote.next < firstTime ? head.number : head.timestamp)
      // A remote that is ahead may know later forks; one with the same forks must not expect one that is overdue here.
      return upcoming || remote.next === 0n || !remoteForkPassed
    }
    upcoming ||= !passed
    hash = crc32(bigIntToFixed(at, 8), hash)
  }
  return false
}
