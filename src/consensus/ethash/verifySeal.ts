import { BlockError } from '../../execution/fault.ts'
import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp } from '../../primitives/rlp.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import { type Header, headerToRlp } from '../../types/header.ts'
import { createCache, seedOf } from './cache.ts'
import { hashimoto } from './hashimoto.ts'
import { cacheBytesOf, datasetBytesOf, epochOf } from './sizes.ts'

/** Positions of the mix hash and the nonce in a header's RLP. */
const sealFields = { from: 13, count: 2 }
const keptCaches = 2

/** Digest of the header without its seal: what the work is done on. */
export function sealingHash(header: Header): Hash32 {
  return keccak256(encodeRlp(headerToRlp(header).toSpliced(sealFields.from, sealFields.count)))
}

/** Caches by epoch, the oldest first; a chain at an epoch's edge needs two. */
const caches = new Map<number, Uint32Array>()

function cacheOf(epoch: number): Uint32Array {
  let cache = caches.get(epoch)
  if (!cache) {
    cache = createCache(cacheBytesOf(epoch), seedOf(epoch))
    for (const old of [...caches.keys()].slice(0, caches.size + 1 - keptCaches)) caches.delete(old)
    caches.set(epoch, cache)
  }
  return cache
}

/** Passes when the header carries the proof of work that its difficulty demands, else a BlockError. */
export function verifySeal(header: Header): void {
  const epoch = epochOf(header.number)
  const { mixHash, result } = hashimoto(cacheOf(epoch), datasetBytesOf(epoch), sealingHash(header), header.nonce)
  const small = header.difficulty > 0n && bytesToBigInt(result) * header.difficulty <= 1n << 256n
  if (!small || !equalBytes(mixHash, header.mixHash)) throw new BlockError({ code: 'PROOF_OF_WORK_INVALID' })
}
