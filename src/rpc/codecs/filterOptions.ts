import { type Address, type Hash32, zeroHash } from '../../primitives/bytes.ts'
import { invalidParams } from '../protocol/fault.ts'
import { type BlockNumberRef, blockNumber, latest } from './blockRef.ts'
import { address, data, hash } from './bytes.ts'
import type { Decoder } from './codec.ts'
import { decodeObject, type JsonObject, optionalMember } from './jsonObject.ts'

/** What one topic position asks for: undefined takes any topic, a list one of its own; an empty list matches nothing. */
export type TopicMatch = readonly Hash32[] | undefined

/** Which logs are wanted. */
export interface FilterOptions {
  readonly fromBlock: BlockNumberRef
  readonly toBlock: BlockNumberRef
  /** The one block to look at, in the place of a range. */
  readonly blockHash: Hash32 | undefined
  /** Empty takes every address. */
  readonly addresses: readonly Address[]
  readonly topics: readonly TopicMatch[]
}

const members = ['fromBlock', 'toBlock', 'address', 'addresses', 'topics', 'blockHash', 'blockhash']

function decodeAddresses(json: unknown): Address[] {
  if (json === undefined || json === null) return []
  return Array.isArray(json) ? json.map((one) => address.decode(one)) : [address.decode(json)]
}

/** The topics that a text stands for: none when it is longer than any topic, which Besu takes and never finds. */
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
  return json.map(decodeTopicMatch)
}

function decodeBlockHash(object: JsonObject): Hash32 | undefined {
  const blockHash = optionalMember(object, 'blockHash', hash) ?? optionalMember(object, 'blockhash', hash)
  if (blockHash && (object['fromBlock'] ?? object['toBlock'] ?? undefined) !== undefined) throw invalidParams()
  return blockHash
}

/** Members `address` (Besu) and `addresses` (the product's own description) mean the same and add up. */
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
    for (const name of Object.keys(object)) if (!members.includes(name)) throw invalidParams()
    return {
      fromBlock: optionalMember(object, 'fromBlock', blockNumber) ?? latest,
      toBlock: optionalMember(object, 'toBlock', blockNumber) ?? latest,
      blockHash: decodeBlockHash(object),
      addresses: [...decodeAddresses(object['address']), ...decodeAddresses(object['addresses'])],
      topics: decodeTopics(object['topics']),
    }
  },
}
