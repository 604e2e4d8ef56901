import type { Hash32 } from '../../primitives/bytes.ts'
import { bigIntToFixed, bytesToBigInt } from '../../primitives/u256.ts'
import type { Header } from '../../types/header.ts'
import { epochCache } from './epochCache.ts'
import { hashimoto } from './hashimoto.ts'
import { datasetBytesOf, epochOf } from './sizes.ts'
import { sealingHash } from './verifySeal.ts'

/** Input of the proof of work. */
export interface Task {
  readonly cache: Uint32Array
  readonly datasetBytes: number
  readonly sealingHash: Hash32
  readonly difficulty: bigint
}

/** The first nonce from `first` on that satisfies the difficulty, with its mix hash. */
export function findNonce(task: Task, first: bigint): Pick<Header, 'nonce' | 'mixHash'> {
  for (let n = first; ; n++) {
    const nonce = bigIntToFixed(n, 8)
    const { mixHash, result } = hashimoto(task.cache, task.datasetBytes, task.sealingHash, nonce)
    if (bytesToBigInt(result) * task.difficulty <= 1n << 256n) return { nonce, mixHash }
  }
}

/** The header with a valid nonce and mix hash, found by trying all nonces from `first` on. */
export function mine(header: Header, first: bigint): Header {
  const epoch = epochOf(header.number)
  const task = {
    cache: epochCache(epoch),
    datasetBytes: datasetBytesOf(epoch),
    sealingHash: sealingHash(header),
    difficulty: header.difficulty,
  }
  return { ...header, ...findNonce(task, first) }
}
