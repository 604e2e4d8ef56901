import { concatBytes, type Hash32 } from '../../primitives/bytes.ts'
import type { Header } from '../../types/header.ts'
import { sealLength } from '../recoverSeal.ts'
import { cliqueSealHash } from './sealHash.ts'

/** Signs a header and puts the seal into its extra data. */
export function sealCliqueHeader(header: Header, sign: (digest: Hash32) => Uint8Array): Header {
  return withCliqueSeal(header, sign(cliqueSealHash(header)))
}

/** Puts the seal into the extra data of a header. */
export function withCliqueSeal(header: Header, seal: Uint8Array): Header {
  return { ...header, extraData: concatBytes(header.extraData.subarray(0, -sealLength), seal) }
}
