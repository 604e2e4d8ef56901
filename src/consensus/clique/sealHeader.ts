import { concatBytes, type Hash32 } from '../../primitives/bytes.ts'
import type { Header } from '../../types/header.ts'
import { sealLength } from '../recoverSeal.ts'
import { cliqueSealHash } from './sealHash.ts'

/** Puts a signer's seal into the place that the extra data have for it. */
export function sealCliqueHeader(header: Header, sign: (digest: Hash32) => Uint8Array): Header {
  return { ...header, extraData: concatBytes(header.extraData.subarray(0, -sealLength), sign(cliqueSealHash(header))) }
}
