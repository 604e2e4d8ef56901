import { bigIntToFixed, bytesToBigInt } from '../../primitives/u256.ts'
import type { Header } from '../../types/header.ts'
import { epochCache } from './epochCache.ts'
import { hashimoto } from './hashimoto.ts'
import { datasetBytesOf, epochOf } from './sizes.ts'
import { sealingHash } from './verifySeal.ts'

/** The header with a proof of its work, found by trying one nonce after the other from `firstNonce` on. */
export function mine(header: Header, firstNonce: bigint): Header {
  const epoch = epochOf(header.number)
  const [cache, datasetBytes, digest] = [epochCache(epoch), datasetBytesOf(epoch), sealingHash(header)]
  for (let n = firstNonce; ; n++) {
    const nonce = bigIntToFixed(n, 8)
    const { mixHash, result } = hashimoto(cache, datasetBytes, digest, nonce)
    if (bytesToBigInt(result) * header.difficulty <= 1n << 256n) return { ...header, nonce, mixHash }
  }
}
