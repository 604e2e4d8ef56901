import { type Address, type Hash32, zeroHash } from '../../primitives/bytes.ts'
import type { JsonObject } from '../../primitives/json.ts'
import { invalidParams } from '../protocol/fault.ts'
import { type BlockNumberRef, blockNumber, latest } from './blockRef.ts'
import { address, data, hash } from './bytes.ts'
import type { Decoder } from './codec.ts'
import { decodeObject, optionalMember } from './jsonObject.ts'

/** Condition of one topic position: undefined matches any topic, a list any of its topics, an empty list none. */
export type TopicMatch = readonly Hash32[] | undefined

/** A log filter. */
export interface FilterOptions {
  readonly fromBlock: BlockNumberRef
  readonly toBlock: BlockNumberRef
  /** A single block instead of a range. */
  readonly blockHash: Hash32 | undefined
  /** Empty matches every address. */
  readonly addresses: readonly Address[]
  readonly topics: readonly TopicMatch[]
}

/** Maximum number of addresses, and of topics in all positions together: each is compared with every log. */
const maxChoices = 1000

function decodeAddresses(json: unknown): Address[] {
  if (json === undefined || json === null) return []
  if (!Array.isArray(json)) return [address.decode(json)]
  if (json.length > maxChoices) throw invalidParams(`more than ${maxChoices} addresses`)
  return json.map((one) => address.decode(one))
}

/** Decodes a topic; empty if it is too long, which Besu accepts and never matches. */
function decodeTopic(text: string): Hash32[] {
  const bytes = data.decode(text)
  if (bytes.length < zeroHash.length) throw invalidParams()
  return bytes.length === zeroHash.length ? [bytes as Hash32] : []
}

function decodeTopicMatch(json: unknown): TopicMatch {
  if (typeof json === 'string') return decodeTopic(json)
  if (!Array.isArray(json) || json.some((one) => typeof one !== 'string')) return undefined
  return json.flatMap(decodeTopic)
}

function decodeTopics(json: unknown): TopicMatch[] {
  if (json === undefined || json === null) return []
  if (typeof json === 'string') return [decodeTopic(json)]
  if (!Array.isArray(json)) throw invalidParams()
  const count = json.reduce((sum: number, one) => sum + (Array.isArray(one) ? one.length : 1), 0)
  if (count > maxChoices) throw invalidParams(`more than ${maxChoices} topics`)
  return json.map(decodeTopicMatch)
}

function decodeBlockHash(object: JsonObject): Hash32 | undefined {
  const blockHash = optionalMember(object, 'blockHash', hash) ?? optionalMember(object, 'blockhash', hash)
  if (blockHash && (object['fromBlock'] ?? object['toBlock'] ?? undefined) !== undefined) throw invalidParams()
  return blockHash
}

/** `addresses` is a second name of `address`; both are combined. Unknown members are ignored. */
export const filterOptions: Decoder<FilterOptions> = {
  schema: {
    title: 'filter options',
    type: 'object',
    properties: {
      fromBlock: blockNumber.schema,
      toBlock: blockNumber.schema,
      address: { oneOf: [address.schema, { type: 'array', items: address.schema }] },
      addresses: { type: 'array', items: address.schema },
      topics: { type: 'array' },
      blockHash: hash.schema,
    },
  },
  decode(json) {
    const object = decodeObject(json)
    return {
      fromBlock: optionalMember(object, 'fromBlock', blockNumber) ?? latest,
      toBlock: optionalMember(object, 'toBlock', blockNumber) ?? latest,
      blockHash: decodeBlockHash(object),
      addresses: [...decodeAddresses(object['address']), ...decodeAddresses(object['addresses'])],
      topics: decodeTopics(object['topics']),
    }
  },
}
