import type { ToSign } from '../../keys/nodeIdentity.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeHeader, type Header } from '../../types/header.ts'
import { sealLength } from '../recoverSeal.ts'

/** The hash that a signer signs: of the header without the seal and without fields after the base fee. */
export function cliqueSealHash(header: Header): Hash32 {
  return keccak256(sealContent(header))
}

function sealContent(header: Header): Uint8Array {
  const extraData = header.extraData.subarray(0, -sealLength)
  // Fields after an absent one are not encoded.
  return encodeHeader({ ...header, extraData, withdrawalsRoot: undefined })
}

/** A header, to be sealed by its maker. */
export function cliqueToSign(header: Header): ToSign {
  return { kind: 'clique', digest: cliqueSealHash(header), content: () => sealContent(header) }
}
