import type { Hash32 } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeHeader, type Header } from '../../types/header.ts'
import { blamingExtraData } from '../fault.ts'
import type { BftCodec, BftExtraData, BftForm } from './extraData.ts'

function hashIn(form: BftForm, codec: BftCodec, header: Header, data: BftExtraData): Hash32 {
  return keccak256(encodeHeader({ ...header, extraData: codec.encode(data, form) }))
}

/** The hash by which the network knows a block: the same whatever round and whoever committed it. */
export function bftBlockHash(codec: BftCodec, header: Header): Hash32 {
  // Block 0 was committed by nobody and is hashed as it stands.
  if (header.number === 0n) return keccak256(encodeHeader(header))
  return hashIn(
    'hash',
    codec,
    header,
    blamingExtraData(() => codec.decode(header.extraData)),
  )
}

/** What committers sign. */
export function bftCommitHash(codec: BftCodec, header: Header, data: BftExtraData): Hash32 {
  return hashIn('commit', codec, header, data)
}
