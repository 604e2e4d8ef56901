import type { Chain } from '../../chain/chain.ts'
import { PastError } from '../../chain/takeOver/fault.ts'
import type { ChainView } from '../../chain/view.ts'
import type { PoolViews } from '../../pool/views.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { encodeRlp, encodeRlpList } from '../../primitives/rlp.ts'
import type { Logger } from '../../system/logger.ts'
import { encodeReceipt, type Receipt } from '../../types/receipt.ts'
import { messageLimit } from '../rlpx/createConnection.ts'
import type { EthMessage } from './messages.ts'
import { decodeHashQuery, decodeHeaderQuery, encodeAnswer, type HeaderQuery } from './queries.ts'
import { txToPart } from './wireTx.ts'

/** Soft limit of a response in bytes: the item that reaches it is the last. */
const enoughBytes = 2 << 20
/** An item that makes a response larger than geth reads does not go with others: it is asked for again, and goes alone. */
const maxShared = 10 * 1024 * 1024 - 64
/** Longest item that a message carries; Besu may have made larger blocks. */
const maxAlone = messageLimit - 64
/** Maximum items looked up per request. */
const limits = { headers: 1024, bodies: 1024, receipts: 256, transactions: 256 } as const

/** A response to a peer, and what it cost to look up. */
export interface EthResponse {
  readonly message: EthMessage
  readonly payload: Uint8Array
  readonly lookups: number
}

/** Messages that ask for something. */
export type RequestMessage =
  | 'getBlockHeaders'
  | 'getBlockBodies'
  | 'getReceipts'
  | 'getPooledTransactions'
  | 'getNodeData'

/** Answers a request from the chain and the pool; unknown items are left out. Throws if the request cannot be decoded. */
export type Answers = (message: RequestMessage, payload: Uint8Array) => EthResponse

export interface AnswerPorts {
  readonly chain: Pick<Chain, 'read'>
  readonly pool: Pick<PoolViews, 'get'>
  readonly log: Logger
}

/** Something of a block; undefined also where it is not there yet, or not kept. */
function ifHere<T>(read: () => T | undefined): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PastError) return undefined
    throw error
  }
}

/** Headers whose seals were not all checked are not passed on: who gets them would blame this node. */
function* headerHashes(view: ChainView, { start, count, skip, reverse }: HeaderQuery): Iterable<Hash32> {
  let number = typeof start === 'bigint' ? start : view.headerBy(start)?.header.number
  if (number === undefined) return
  const step = BigInt(skip + 1) * (reverse ? -1n : 1n)
  const sealed = BigInt(view.past?.sealed ?? 0)
  for (let i = 0; i < Math.min(count, limits.headers); i++, number += step) {
    // Only the first header may be off the canonical chain, as in Besu.
    const hash = i === 0 && typeof start !== 'bigint' ? start : view.hashAt(number)
    if (!hash || (number < sealed && number > 0n)) return
    yield hash
  }
}

function encodedReceipt(receipt: Receipt): Uint8Array {
  const bytes = encodeReceipt(receipt)
  return receipt.type === 0 ? bytes : encodeRlp(bytes)
}

/** Answers peers' requests from the chain and the pool; unknown items are left out. Throws if a request is malformed. */
export function createAnswers({ chain, pool, log }: AnswerPorts): Answers {
  function collect<K>(
    message: EthMessage,
    id: bigint,
    keys: Iterable<K>,
    find: (key: K) => Uint8Array | undefined,
  ): EthResponse {
    const items: Uint8Array[] = []
    let bytes = 0
    let lookups = 0
    for (const key of keys) {
      lookups++
      const item = find(key)
      if (!item) continue
      if (item.length > maxAlone) {
        log.warn({ answer: message, bytes: item.length }, 'no message carries what a peer asks for')
        if (message === 'blockHeaders') break
        continue
      }
      if (items.length > 0 && bytes + item.length > maxShared) break
      items.push(item)
      bytes += item.length
      if (bytes >= enoughBytes) break
    }
    return { message, payload: encodeAnswer(id, items), lookups }
  }

  const byMessage: Record<RequestMessage, (payload: Uint8Array) => EthResponse> = {
    getBlockHeaders(payload) {
      const { id, wanted } = decodeHeaderQuery(payload)
      return chain.read((view) => collect('blockHeaders', id, headerHashes(view, wanted), view.encodedHeader))
    },
    getBlockBodies(payload) {
      const { id, wanted } = decodeHashQuery(payload)
      return chain.read((view) =>
        collect('blockBodies', id, wanted.slice(0, limits.bodies), (hash) => ifHere(() => view.encodedBody(hash))),
      )
    },
    getReceipts(payload) {
      const { id, wanted } = decodeHashQuery(payload)
      return chain.read((view) =>
        collect('receipts', id, wanted.slice(0, limits.receipts), (hash) => {
          const receipts = ifHere(() => view.receipts(hash))
          return receipts && encodeRlpList(receipts.map(encodedReceipt))
        }),
      )
    },
    getPooledTransactions(payload) {
      const { id, wanted } = decodeHashQuery(payload)
      return collect('pooledTransactions', id, wanted.slice(0, limits.transactions), (hash) => {
        const entry = pool.get(hash)
        if (!entry || (entry.tx.type === 3 && !entry.sidecar)) return undefined
        return txToPart(entry.tx, entry.sidecar)
      })
    },
    // The state is not stored as trie nodes by hash, so there are none to return.
    getNodeData: (payload) => collect('nodeData', decodeHashQuery(payload).id, [], () => undefined),
  }
  return (message, payload) => byMessage[message](payload)
}
