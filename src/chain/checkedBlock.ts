import { validateBody } from '../execution/validateBody.ts'
import type { Rules } from '../forks/rules.ts'
import type { ConsensusEngine } from './engine.ts'
import type { ChainView, HashedBlock, HashedHeader } from './view.ts'

declare const checked: unique symbol

/** A header that was validated, seals included. That depends on its parent and what is before it only, never on the head. */
export interface CheckedHeader extends HashedHeader {
  readonly rules: Rules
  readonly [checked]: true
}

/**
 * A block whose header and body were validated, as far as that can be done without running it and without looking for its ommers.
 * Anyone who takes one need not do that again: only `checkHeader` and `checkContent` make it.
 */
export interface CheckedBlock extends HashedBlock, CheckedHeader {}

/** Validates a header and its seals; throws a BlockError. */
export function checkHeader(
  consensus: Pick<ConsensusEngine, 'validateHeader'>,
  { header, hash }: HashedHeader,
  parent: HashedHeader,
  view: ChainView,
): CheckedHeader {
  return { header, hash, rules: consensus.validateHeader(header, parent, view) } as CheckedHeader
}

/** Validates the body that belongs to a header; throws a BlockError. */
export function checkContent(
  header: CheckedHeader,
  { transactions, ommers, withdrawals }: HashedBlock['block'],
): CheckedBlock {
  const block = { header: header.header, transactions, ommers, withdrawals }
  validateBody(block, header.rules)
  return { ...header, block }
}

/** What was found out about a block before, if it is a checked one. */
export function rulesIfChecked(hashed: HashedBlock | CheckedBlock): Rules | undefined {
  return 'rules' in hashed ? hashed.rules : undefined
}
