import type { ChainView, HashedHeader, StoredReceipt } from '../chain/view.ts'
import { type Hash32, keyOf } from '../primitives/bytes.ts'
import { findState } from '../query/findState.ts'
import type { StateView } from '../state/view.ts'
import type { Body } from '../types/block.ts'
import type { Budget } from './budget.ts'
import { QueryError } from './fault.ts'
import type { BlockNode, ReceiptNode, TxNode } from './nodes.ts'

/** Reads the chain for one request; each block, body, list of receipts and state is read once. */
export interface Loader {
  readonly chain: ChainView
  /** The latest block. */
  head(): BlockNode
  blockAt(number: bigint): BlockNode | undefined
  blockBy(hash: Hash32): BlockNode | undefined
  body(block: BlockNode): Body
  transactions(block: BlockNode): readonly TxNode[]
  /** The receipt of a mined transaction. */
  receipt(place: NonNullable<TxNode['place']>): ReceiptNode
  /** A transaction of the canonical chain; undefined if it is unknown. */
  transactionBy(hash: Hash32): TxNode | undefined
  state(at: HashedHeader): StateView
}

/** Cost of a transaction or log that is read, in values of the budget. */
const readCost = 4

function newNode({ header, hash }: HashedHeader): BlockNode {
  return { header, hash, isOmmer: false, body: undefined, transactions: undefined, receipts: undefined }
}

function withLogIndexes(receipts: readonly StoredReceipt[]): ReceiptNode[] {
  let firstLogIndex = 0
  return receipts.map((receipt) => {
    const node = { receipt, firstLogIndex }
    firstLogIndex += receipt.logs.length
    return node
  })
}

export function createLoader(chain: ChainView, budget: Budget): Loader {
  const blocks = new Map<string, BlockNode>()
  const states = new Map<string, StateView>()

  function nodeOf(hashed: HashedHeader): BlockNode {
    const key = keyOf(hashed.hash)
    let node = blocks.get(key)
    if (!node) blocks.set(key, (node = newNode(hashed)))
    return node
  }

  function body(block: BlockNode): Body {
    if (block.body) return block.body
    const found = block.isOmmer ? undefined : chain.body(block.hash)
    block.body = found ?? { transactions: [], ommers: [], withdrawals: undefined }
    budget.spend(readCost * block.body.transactions.length)
    return block.body
  }

  function transactions(block: BlockNode): readonly TxNode[] {
    block.transactions ??= body(block).transactions.map((tx, index) => ({ tx, place: { block, index } }))
    return block.transactions
  }

  function receipts(block: BlockNode): readonly ReceiptNode[] {
    if (block.receipts) return block.receipts
    const found = chain.receipts(block.hash)
    // Blocks off the canonical chain were never executed.
    if (!found) throw new QueryError({ code: 'STATE_UNAVAILABLE' })
    block.receipts = withLogIndexes(found)
    budget.spend(readCost * found.reduce((sum, { logs }) => sum + 1 + logs.length, 0))
    return block.receipts
  }

  return {
    chain,
    head: () => nodeOf(chain.head),
    blockAt(number) {
      const found = number === chain.head.header.number ? chain.head : chain.headerAt(number)
      return found && nodeOf(found)
    },
    blockBy(hash) {
      const known = blocks.get(keyOf(hash))
      if (known) return known
      const found = chain.headerBy(hash)
      return found && nodeOf(found)
    },
    body,
    transactions,
    receipt: ({ block, index }) => receipts(block)[index]!,
    transactionBy(hash) {
      const place = chain.findTx(hash)
      const block = place && chain.headerAt(place.blockNumber)
      return block && transactions(nodeOf(block))[place.index]
    },
    state(at) {
      const key = keyOf(at.hash)
      let state = states.get(key)
      if (!state) {
        state = findState(chain, at)
        if (!state) throw new QueryError({ code: 'STATE_UNAVAILABLE' })
        states.set(key, state)
      }
      return state
    },
  }
}
