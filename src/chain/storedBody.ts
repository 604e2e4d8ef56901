import { equalBytes } from '../primitives/bytes.ts'
import { decodeRlp } from '../primitives/rlp.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { type Body, bodyFromRlp, encodeBody } from '../types/block.ts'
import { emptyOmmersHash, type Header } from '../types/header.ts'

/** The stored form of a body; undefined if nothing is in it, which its header tells: most blocks of a private network are empty. */
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
