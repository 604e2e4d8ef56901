import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeHeader, type Header } from '../../types/header.ts'
import { withBlockError } from '../fault.ts'
import type { BftCodec, BftExtraData, BftForm } from './extraData.ts'

function contentIn(form: BftForm, codec: BftCodec, header: Header, data: BftExtraData): Uint8Array {
  return encodeHeader({ ...header, extraData: codec.encode(data, form) })
}

function hashIn(form: BftForm, codec: BftCodec, header: Header, data: BftExtraData): Hash32 {
  return keccak256(contentIn(form, codec, header, data))
}

/** The block's hash; it covers neither the round nor the commit seals. */
export function bftBlockHash(codec: BftCodec, header: Header): Hash32 {
  // The genesis block has no commit seals: its whole header is hashed.
  if (header.number === 0n) return keccak256(encodeHeader(header))
  return hashIn(
    'hash',
    codec,
    header,
    withBlockError(() => codec.decode(header.extraData)),
  )
}

/**
 * The header in the one form in which it is stored and sent. QBFT's extra data may have bytes that neither hash nor seals cover: a
 * validator, or anybody who passes a block on, could make it as large as a message, and those that have it could give it to nobody.
 */
export function canonicalHeader(codec: BftCodec, header: Header): Header {
  if (header.number === 0n) return header
  const extraData = codec.encode(
    withBlockError(() => codec.decode(header.extraData)),
    'whole',
  )
  return equalBytes(extraData, header.extraData) ? header : { ...header, extraData }
}

/** The hash that commit seals sign. */
export function bftCommitHash(codec: BftCodec, header: Header, data: BftExtraData): Hash32 {
  return hashIn('commit', codec, header, data)
}

/** What that hash is of. */
export function bftCommitContent(codec: BftCodec, header: Header, data: BftExtraData): Uint8Array {
  return contentIn('commit', codec, header, data)
}
