import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { fromHex } from '../../primitives/hex.ts'
import type { Log } from '../../types/log.ts'

/** What moves: an amount (ERC-20), an item (ERC-721), an amount of an item (ERC-1155). */
export const tokenKinds = { erc20: 0, erc721: 1, erc1155: 2 } as const
export type TokenKind = (typeof tokenKinds)[keyof typeof tokenKinds]

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721. */
export const transferTopic = fromHex('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef') as Hash32
/** `TransferSingle` and `TransferBatch` of ERC-1155. */
export const singleTopic = fromHex('0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62') as Hash32
export const batchTopic = fromHex('0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb') as Hash32

const wordLength = 32
const padding = 12

/** Whether a topic can be an address. */
export function isAddressTopic(topic: Hash32): boolean {
  for (let i = 0; i < padding; i++) if (topic[i] !== 0) return false
  return true
}

/** A movement: who it is from and to as topics, and views of the item and the amount in the log's data; an item of ERC-721 has no amount. */
export type OnTransfer = (
  kind: TokenKind,
  from: Hash32,
  to: Hash32,
  item: Uint8Array | undefined,
  amount: Uint8Array | undefined,
) => void

/**
 * Calls `visit` for each movement that a log says happened. Anybody may write such logs, with any data: one that is not
 * as its standard wants it says nothing.
 */
export function visitTransfers({ topics, data }: Log, visit: OnTransfer): void {
  const event = topics[0]
  if (event === undefined || topics.length < 3) return
  if (equalBytes(event, transferTopic)) {
    const [, from, to, item] = topics as [Hash32, Hash32, Hash32, Hash32?]
    if (!isAddressTopic(from) || !isAddressTopic(to)) return
    if (item) visit(tokenKinds.erc721, from, to, item, undefined)
    else if (data.length >= wordLength) visit(tokenKinds.erc20, from, to, undefined, wordAt(data, 0))
    return
  }
  const isSingle = equalBytes(event, singleTopic)
  if (topics.length < 4 || (!isSingle && !equalBytes(event, batchTopic))) return
  const [, , from, to] = topics as [Hash32, Hash32, Hash32, Hash32]
  if (!isAddressTopic(from) || !isAddressTopic(to)) return
  if (!isSingle) visitBatch(data, (item, amount) => visit(tokenKinds.erc1155, from, to, item, amount))
  else if (data.length >= 2 * wordLength) visit(tokenKinds.erc1155, from, to, wordAt(data, 0), wordAt(data, wordLength))
}

const wordAt = (data: Uint8Array, at: number): Uint8Array =>
  at === 0 && data.length === wordLength ? data : data.subarray(at, at + wordLength)

/** The word at a place as a number that can be a place in the data or a count of words in it; undefined if it is none. */
function smallAt(data: Uint8Array, at: number): number | undefined {
  if (at + wordLength > data.length) return undefined
  let value = 0
  for (let i = 0; i < wordLength; i++) {
    value = value * 256 + data[at + i]!
    if (value > data.length) return undefined
  }
  return value
}

/** An array of words: where its first one is, and how many there are; undefined unless all of it lies in the data. */
function arrayAt(data: Uint8Array, head: number): { readonly start: number; readonly count: number } | undefined {
  const place = smallAt(data, head)
  const count = place === undefined ? undefined : smallAt(data, place)
  if (place === undefined || count === undefined) return undefined
  const start = place + wordLength
  return start + count * wordLength <= data.length ? { start, count } : undefined
}

/** The two arrays of a batch may lie in each other, but neither has more words than the data, so that there are no more movements than those. */
function visitBatch(data: Uint8Array, visit: (item: Uint8Array, amount: Uint8Array) => void): void {
  const items = arrayAt(data, 0)
  const amounts = arrayAt(data, wordLength)
  if (!items || !amounts || items.count !== amounts.count) return
  for (let i = 0; i < items.count; i++)
    visit(wordAt(data, items.start + i * wordLength), wordAt(data, amounts.start + i * wordLength))
}
