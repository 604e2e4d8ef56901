import type { Rules } from '../forks/rules.ts'
import { equalBytes, type Hash32, keyOf } from '../primitives/bytes.ts'
import { orderedTrieRoot } from '../trie/orderedRoot.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { type Block, ommersHashOf } from '../types/block.ts'
import { encodeTx } from '../types/encodeTx.ts'
import { type Header, headerHash } from '../types/header.ts'
import { encodeWithdrawal } from '../types/withdrawal.ts'
import { checkBlockSize } from './blockSize.ts'
import { BlockError } from './fault.ts'

const maxOmmers = 2
const ommerGenerations = 7

/** Whether the body is the one that the header announces, and of a form that the rules allow. */
export function validateBody(block: Block, rules: Rules): void {
  const { header, transactions, ommers, withdrawals } = block
  checkBlockSize(block, rules)
  if (!equalBytes(header.transactionsRoot, orderedTrieRoot(transactions.map(encodeTx))))
    throw new BlockError({ code: 'TRANSACTIONS_ROOT_MISMATCH' })
  if (!equalBytes(header.ommersHash, ommersHashOf(ommers))) throw new BlockError({ code: 'OMMERS_HASH_MISMATCH' })
  checkWithdrawals(header.withdrawalsRoot, withdrawals, rules)
}

/** Where the header has no root although the rules know withdrawals, as in blocks that old versions of Besu made, there are none. */
function checkWithdrawals(root: Hash32 | undefined, withdrawals: Block['withdrawals'], rules: Rules): void {
  if (!rules.withdrawals) {
    if (withdrawals) throw new BlockError({ code: 'WITHDRAWALS_NOT_ALLOWED' })
    return
  }
  if (!withdrawals && root) throw new BlockError({ code: 'WITHDRAWALS_MISSING' })
  const have = orderedTrieRoot((withdrawals ?? []).map(encodeWithdrawal))
  if (!equalBytes(root ?? emptyTrieRoot, have)) throw new BlockError({ code: 'WITHDRAWALS_ROOT_MISMATCH' })
}

/** What the check of ommers asks of the chain that the block stands on. */
export interface Ancestry {
  /** A block on which this chain builds, by hash. */
  block(hash: Hash32): { readonly header: Header; readonly ommers: readonly Header[] } | undefined
  /** Checks an ommer like any header, seal included; throws when it is not valid. */
  checkOmmer(ommer: Header, parent: Header): void
}

/** Whether each ommer is a fresh, valid child of one of the last seven ancestors. */
export function validateOmmers({ header, ommers }: Block, ancestry: Ancestry): void {
  if (ommers.length === 0) return
  if (ommers.length > maxOmmers) throw new BlockError({ code: 'TOO_MANY_OMMERS', have: ommers.length })
  const ancestors = new Map<string, Header>()
  const seen = new Set<string>()
  let hash = header.parentHash
  for (let i = 0; i < ommerGenerations; i++) {
    const ancestor = ancestry.block(hash)
    if (!ancestor) break
    ancestors.set(keyOf(hash), ancestor.header)
    for (const ommer of ancestor.ommers) seen.add(keyOf(headerHash(ommer)))
    hash = ancestor.header.parentHash
  }
  for (const ommer of ommers) {
    const key = keyOf(headerHash(ommer))
    if (seen.has(key)) throw new BlockError({ code: 'OMMER_TWICE' })
    seen.add(key)
    if (ancestors.has(key)) throw new BlockError({ code: 'OMMER_IS_ANCESTOR' })
    const parent = ancestors.get(keyOf(ommer.parentHash))
    if (!parent || equalBytes(ommer.parentHash, header.parentHash)) throw new BlockError({ code: 'OMMER_UNRELATED' })
    checkOmmer(ommer, parent, ancestry)
  }
}

function checkOmmer(ommer: Header, parent: Header, ancestry: Ancestry): void {
  try {
    ancestry.checkOmmer(ommer, parent)
  } catch (error) {
    if (error instanceof BlockError) throw new BlockError({ code: 'OMMER_INVALID', reason: error.at.code }, error)
    throw error
  }
}
