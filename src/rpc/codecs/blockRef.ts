import type { Hash32 } from '../../primitives/bytes.ts'
import { padLeft } from '../../primitives/bytes.ts'
import { invalidParams } from '../protocol/fault.ts'
import { boolean } from './boolean.ts'
import { decodeHex, hash } from './bytes.ts'
import type { Decoder } from './codec.ts'
import { decodeInteger } from './integer.ts'
import { decodeObject, optionalMember } from './jsonObject.ts'

const tags = ['latest', 'earliest', 'pending', 'finalized', 'safe'] as const
export type BlockTag = (typeof tags)[number]

/** A block by number or tag. */
export type BlockNumberRef = { readonly tag: BlockTag } | { readonly number: bigint }
/** A block by hash. */
export interface BlockHashRef {
  readonly hash: Hash32
  readonly requireCanonical: boolean
}
export type BlockRef = BlockNumberRef | BlockHashRef

export const latest: BlockNumberRef = Object.freeze({ tag: 'latest' })
const byTag = new Map<string, BlockNumberRef>(tags.map((tag) => [tag, tag === 'latest' ? latest : { tag }]))

const numberSchema = { title: 'block number or tag', type: ['string', 'integer'], examples: ['0x1', ...tags] }

function decodeSigned(json: unknown): BlockNumberRef {
  if (json === 'latest') return latest
  const tag = typeof json === 'string' ? byTag.get(json.toLowerCase()) : undefined
  return tag ?? { number: decodeInteger(json) }
}

function decodeNumber(json: unknown, negative: string | undefined): BlockNumberRef {
  const ref = decodeSigned(json)
  if ('number' in ref && ref.number < 0n) throw invalidParams(negative)
  return ref
}

/** A block number, hexadecimal or decimal, or a tag. */
export const blockNumber: Decoder<BlockNumberRef> = {
  schema: numberSchema,
  decode: (json) => decodeNumber(json, 'the block number must not be negative'),
}

/** The same, but a negative number is a block that does not exist. */
export const anyBlockNumber: Decoder<BlockNumberRef> = { schema: numberSchema, decode: decodeSigned }

// Besu reads strings of this length as a hash, and rejects those between it and the longest number.
const hashTextLength = 65
const numberTextLength = 16

function decodeText(text: string): BlockRef {
  if (text.length >= hashTextLength)
    return { hash: padLeft(decodeHex(text, 32), 32) as Hash32, requireCanonical: false }
  if (text.length > numberTextLength) throw invalidParams()
  return decodeNumber(text, undefined)
}

function decodeRefObject(json: unknown): BlockRef {
  const object = decodeObject(json)
  const blockHash = optionalMember(object, 'blockHash', hash)
  if (blockHash)
    return { hash: blockHash, requireCanonical: optionalMember(object, 'requireCanonical', boolean) ?? false }
  const { blockNumber: number } = object
  if (number === undefined || number === null) throw invalidParams()
  const value = decodeInteger(number)
  if (value < 0n) throw invalidParams()
  return { number: value }
}

/** A block number, tag or hash, or an object with one of them (EIP-1898). */
export const blockRef: Decoder<BlockRef> = {
  schema: {
    title: 'block number, tag or hash',
    oneOf: [
      numberSchema,
      hash.schema,
      {
        type: 'object',
        properties: { blockHash: hash.schema, requireCanonical: boolean.schema, blockNumber: numberSchema },
      },
    ],
  },
  decode(json) {
    if (json === 'latest') return latest
    if (typeof json === 'string') return decodeText(json)
    return typeof json === 'object' ? decodeRefObject(json) : decodeNumber(json, undefined)
  },
}
