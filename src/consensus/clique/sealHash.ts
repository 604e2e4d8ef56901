import type { Hash32 } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeHeader, type Header } from '../../types/header.ts'
import { sealLength } from '../recoverSeal.ts'

/** The hash that a signer signs: of the header without the seal and without fields after the base fee. */
export function cliqueSealHash(header: Header): Hash32 {
  const extraData = header.extraData.subarray(0, -sealLength)
  // Fields after an absent one are not encoded.
  return keccak256(encodeHeader({ ...header, extraData, withdrawalsRoot: undefined }))
}
