import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decodeRlp } from '../primitives/rlp.ts'
import { rlpContentStart, rlpEnd } from '../primitives/rlpWalk.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { type Body, bodyFromRlp, encodeBody } from '../types/block.ts'
import { emptyOmmersHash, type Header } from '../types/header.ts'

/** The stored form of a body; undefined if nothing is in it, which its header shows: most blocks of a private network are empty. */
export function encodeStoredBody(body: Body): Uint8Array | undefined {
  const { transactions, ommers, withdrawals } = body
  return transactions.length + ommers.length + (withdrawals?.length ?? 0) > 0 ? encodeBody(body) : undefined
}

/** Undoes `encodeStoredBody`; also of empty bodies that were stored before they were left out. Undefined if the body is missing. */
export function decodeStoredBody(bytes: Uint8Array | undefined, header: Header | undefined): Body | undefined {
  return bytes ? bodyFromRlp(decodeRlp(bytes)) : header && emptyBodyOf(header)
}

/** The body of a block whose header says that there is nothing in it. */
function emptyBodyOf({ transactionsRoot, ommersHash, withdrawalsRoot }: Header): Body | undefined {
  const isEmpty =
    equalBytes(transactionsRoot, emptyTrieRoot) &&
    equalBytes(ommersHash, emptyOmmersHash) &&
    (!withdrawalsRoot || equalBytes(withdrawalsRoot, emptyTrieRoot))
  return isEmpty ? { transactions: [], ommers: [], withdrawals: withdrawalsRoot && [] } : undefined
}

/** Finds the encodings of a stored body's transactions, whose RLP is followed in place; to be called with rising indexes. */
export function createTxFinder(body: Uint8Array): (index: number) => Uint8Array | undefined {
  const list = rlpContentStart(body, 0)
  const end = rlpEnd(body, list)
  let at = rlpContentStart(body, list)
  let next = 0
  return (index) => {
    for (; next < index && at < end; next++) at = rlpEnd(body, at)
    if (!(at < end)) return undefined
    // A legacy transaction is a list, any other one the content of a byte string.
    const start = body[at]! >= 0xc0 ? at : rlpContentStart(body, at)
    return body.subarray(start, rlpEnd(body, at))
  }
}

/** Hashes of a stored body's transactions, which are not decoded; to be called with rising indexes. */
export function createTxHasher(body: Uint8Array): (index: number) => Hash32 {
  const find = createTxFinder(body)
  let last: { readonly index: number; readonly hash: Hash32 } | undefined
  return (index) => {
    if (last?.index === index) return last.hash
    const tx = find(index)
    if (!tx) throw new Error('the database is damaged: a block has fewer transactions than receipts')
    last = { index, hash: keccak256(tx) }
    return last.hash
  }
}
