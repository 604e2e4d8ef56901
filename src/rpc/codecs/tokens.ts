import type { TokenKind } from '../../chain/tokens/tokenEvents.ts'
import { invalidParams } from '../protocol/fault.ts'
import type { Codec, Encoder } from './codec.ts'

const standards = ['ERC-20', 'ERC-721', 'ERC-1155'] as const satisfies Readonly<Record<TokenKind, string>>

/** The standard of a token's events. */
export const standard: Codec<TokenKind> = {
  schema: { title: 'standard', type: 'string', enum: [...standards] },
  decode(json) {
    const kind = (standards as readonly unknown[]).indexOf(json)
    if (kind < 0) throw invalidParams(`a standard is one of ${standards.join(', ')}`)
    return kind as TokenKind
  },
  encode: (kind) => `"${standards[kind]}"`,
}

/** A quantity with a sign, which events that are not all of the truth can bring below zero. */
export const signedQuantity: Encoder<bigint> = {
  schema: { title: 'quantity, may be negative', type: 'string', pattern: '^-?0x(0|[1-9a-f][0-9a-f]*)$' },
  encode: (value) => (value < 0n ? `"-0x${(-value).toString(16)}"` : `"0x${value.toString(16)}"`),
}
