import { rlpParts } from '../net/eth/rlpParts.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decodeRlp, encodeRlp, rlpBytes } from '../primitives/rlp.ts'
import { orderedTrieRoot } from '../trie/orderedRoot.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { emptyOmmersHash, type Header } from '../types/header.ts'

/** The RLP of an empty body; undefined if the block has transactions, ommers or withdrawals. */
export function emptyBodyOf({ transactionsRoot, ommersHash, withdrawalsRoot }: Header): Uint8Array | undefined {
  if (!equalBytes(transactionsRoot, emptyTrieRoot) || !equalBytes(ommersHash, emptyOmmersHash)) return undefined
  if (withdrawalsRoot === undefined) return encodeRlp([[], []])
  return equalBytes(withdrawalsRoot, emptyTrieRoot) ? encodeRlp([[], [], []]) : undefined
}

/** Root of a list of transactions or withdrawals in a body: typed transactions are byte strings in it. */
function rootOf(list: Uint8Array): Hash32 {
  return orderedTrieRoot(rlpParts(list).map((part) => (part[0]! >= 0xc0 ? part : rlpBytes(decodeRlp(part)))))
}

/** Whether the RLP of a body matches the roots in the header. */
function fits({ transactionsRoot, ommersHash, withdrawalsRoot }: Header, body: Uint8Array): boolean {
  const [transactions, ommers, withdrawals] = rlpParts(body)
  return (
    transactions !== undefined &&
    ommers !== undefined &&
    equalBytes(rootOf(transactions), transactionsRoot) &&
    equalBytes(keccak256(ommers), ommersHash) &&
    (withdrawals && withdrawalsRoot
      ? equalBytes(rootOf(withdrawals), withdrawalsRoot)
      : withdrawals === undefined && withdrawalsRoot === undefined)
  )
}

/**
 * The body of each header, undefined for those that the answer leaves out. A complete answer is not checked: the import
 * does that.
 */
export function matchBodies(headers: readonly Header[], bodies: readonly Uint8Array[]): (Uint8Array | undefined)[] {
  return bodies.length === headers.length ? [...bodies] : fitBodies(headers, bodies)
}

/** The body of each header, compared with it; undefined for those that the answer leaves out. */
export function fitBodies(headers: readonly Header[], bodies: readonly Uint8Array[]): (Uint8Array | undefined)[] {
  let next = 0
  return headers.map((header) => {
    const body = bodies[next]
    if (!body || !fits(header, body)) return undefined
    next++
    return body
  })
}
