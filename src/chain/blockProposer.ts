import { verifyStateRoot } from '../execution/applyBlock.ts'
import { checkProposalSize } from '../execution/blockSize.ts'
import { BlockError } from '../execution/fault.ts'
import type { Rules } from '../forks/rules.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { runSteps, type Steps } from '../primitives/steps.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { Reader, Transaction } from '../store/table.ts'
import type { Block } from '../types/block.ts'
import type { BlockRunner, ExecutedBlock } from './blockRunner.ts'
import type { BlockWriter } from './blockWriter.ts'
import type { Maker, Select } from './chain.ts'
import { checkBody, checkOmmers } from './checkBody.ts'
import { type CheckedBlock, rulesIfChecked } from './checkedBlock.ts'
import type { ConsensusEngine } from './engine.ts'
import type { HeadEvent } from './events.ts'
import { hasBodyOf, type Proposals } from './proposals.ts'
import { isCanonicalKey, requireHead } from './records.ts'
import type { HeaderRecord } from './storedHeader.ts'
import type { ChainView, HashedBlock } from './view.ts'

export interface BlockProposerParts {
  readonly states: StateStore
  readonly consensus: ConsensusEngine
  readonly proposals: Proposals
  readonly runner: BlockRunner
  readonly writer: BlockWriter
  viewOf(reader: Reader): ChainView
}

/** Builds blocks on the head and validates those that other validators propose; see the members of `Chain`. */
export interface BlockProposer {
  /** Builds a block on the head, which the reader reads. */
  propose(reader: Reader, draft: Block, select: Select, maker: Maker): Steps<ExecutedBlock | undefined>
  /** Builds a block on an earlier canonical block; the transaction must be undone, because the chain is unwound. */
  proposeBefore(txn: Transaction, draft: Block, select: Select, maker: Maker): ExecutedBlock | undefined
  produce(txn: Transaction, draft: Block, select: Select, maker: Maker): HeadEvent | undefined
  verify(reader: Reader, hashed: HashedBlock | CheckedBlock): Steps<void>
}

/** What is proposed or verified is kept among the proposals, so that its import need not run it again. */
export function createBlockProposer(parts: BlockProposerParts): BlockProposer {
  const { states, consensus, proposals, runner, writer, viewOf } = parts

  function requireHeadOf(reader: Reader, parent: Hash32): HeaderRecord {
    const head = requireHead(reader)
    if (!equalBytes(head.hash, parent)) throw new BlockError({ code: 'PARENT_UNKNOWN', parent })
    return head
  }

  /** Validates a block as far as that can be done without running it, and was not done before. */
  function check(reader: Reader, hashed: HashedBlock, head: HeaderRecord, known: ExecutedBlock | undefined): Rules {
    const { header, block } = hashed
    const checked = rulesIfChecked(hashed)
    if (checked) {
      checkOmmers(reader, block, consensus)
      return checked
    }
    const rules = (consensus.validateProposal ?? consensus.validateHeader)(header, head, viewOf(reader))
    checkProposalSize(block, rules, consensus.sealSize?.(head, viewOf(reader)) ?? 0)
    if (!known || !hasBodyOf(known, block)) checkBody(reader, block, rules, consensus)
    return rules
  }

  return {
    *propose(reader, draft, select, maker) {
      requireHeadOf(reader, draft.header.parentHash)
      const proposal = yield* runner.runDraft(reader, draft, select, maker)
      if (proposal) proposals.keep(proposal)
      return proposal
    },
    proposeBefore(txn, draft, select, maker) {
      const { parentHash, number } = draft.header
      const parent = { number: Number(number) - 1, hash: parentHash }
      if (!isCanonicalKey(txn, parent)) throw new BlockError({ code: 'PARENT_UNKNOWN', parent: parentHash })
      writer.unwindTo(txn, parent.number)
      return runSteps(runner.runDraft(txn, draft, select, maker))
    },
    produce(txn, draft, select, maker) {
      const parent = requireHeadOf(txn, draft.header.parentHash)
      const made = runSteps(runner.runDraft(txn, draft, select, maker))
      return made && { head: writer.append(txn, made, made.outcome, parent), added: [made], removed: [] }
    },
    *verify(reader, hashed) {
      const { header, hash, block } = hashed
      const head = requireHeadOf(reader, header.parentHash)
      const known = proposals.find(hash)
      const rules = check(reader, hashed, head, known)
      if (known) return
      yield
      const proposal = yield* runner.run(reader, hashed, rules)
      yield
      verifyStateRoot(block, yield* states.rootInSteps(reader, proposal.outcome.changes))
      proposals.keep(proposal)
    },
  }
}
