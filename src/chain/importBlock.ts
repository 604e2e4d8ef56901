import { checkBlockSize } from '../execution/blockSize.ts'
import { BlockError } from '../execution/fault.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Rules } from '../forks/rules.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { runSteps } from '../primitives/steps.ts'
import { StateError } from '../state/fault.ts'
import type { BlockKey } from '../store/chainTables.ts'
import type { Reader, Transaction } from '../store/table.ts'
import { type BadBlocks, recordIfBad } from './badBlocks.ts'
import type { BlockRunner } from './blockRunner.ts'
import type { BlockWriter } from './blockWriter.ts'
import type { ImportStatus } from './chain.ts'
import { checkBody, checkOmmers } from './checkBody.ts'
import { type CheckedBlock, rulesIfChecked } from './checkedBlock.ts'
import type { ConsensusEngine } from './engine.ts'
import type { HeadEvent } from './events.ts'
import { ChainError } from './fault.ts'
import { hasBodyOf, type Proposals } from './proposals.ts'
import {
  findBlock,
  isCanonicalKey,
  keyOfBlock,
  readHeader,
  requireBlock,
  requireHead,
  requireHeaderRecord,
  writeBody,
  writeHeader,
} from './records.ts'
import type { HeaderRecord } from './storedHeader.ts'
import { PastError } from './takeOver/fault.ts'
import { isAheadOf } from './takeOver/headersAhead.ts'
import type { ChainView, HashedBlock } from './view.ts'

export interface BlockImporterParts {
  readonly spec: ChainSpec
  readonly consensus: ConsensusEngine
  readonly badBlocks: BadBlocks
  readonly proposals: Proposals
  readonly runner: BlockRunner
  readonly writer: BlockWriter
  viewOf(reader: Reader): ChainView
}

/** What an import did; the event is to be sent once the transaction is committed. */
export interface ImportOutcome {
  readonly status: ImportStatus
  readonly event: HeadEvent | undefined
}

/**
 * Validates a block, unless it was checked before, runs it if it becomes canonical, and writes it; a BlockError says why it is
 * invalid.
 */
export type BlockImporter = (txn: Transaction, hashed: HashedBlock | CheckedBlock) => ImportOutcome

/** The way that every block takes into the chain, whether it comes from a peer, a file or this node. */
export function createBlockImporter(parts: BlockImporterParts): BlockImporter {
  const { spec, consensus, badBlocks, proposals, runner, writer, viewOf } = parts

  /** Makes a block on the head the new head; it is run unless that was done when it was proposed. */
  function extend(txn: Transaction, hashed: HashedBlock, parent: HeaderRecord, rules: Rules): HeadEvent {
    const proposal = proposals.find(hashed.hash)
    if (!proposal || !hasBodyOf(proposal, hashed.block)) checkRest(txn, hashed, rules)
    // It had no seals when it was proposed.
    else if (!rulesIfChecked(hashed)) checkBlockSize(hashed.block, rules)
    const { outcome } = proposal ?? runSteps(runner.run(txn, hashed, rules))
    return { head: writer.append(txn, hashed, outcome, parent), added: [hashed], removed: [] }
  }

  /** Validates of a body what was not validated before. */
  function checkRest(txn: Transaction, hashed: HashedBlock, rules: Rules): void {
    if (rulesIfChecked(hashed)) checkOmmers(txn, hashed.block, consensus)
    else checkBody(txn, hashed.block, rules, consensus)
  }

  /** The stored blocks of a branch that ends in `tip`, oldest first, and the canonical block that it starts from. */
  function branchOf(txn: Transaction, tip: HashedBlock): { base: BlockKey; branch: HashedBlock[] } {
    const branch = [tip]
    let base: BlockKey = { number: Number(tip.header.number) - 1, hash: tip.header.parentHash }
    while (!isCanonicalKey(txn, base)) {
      const block = requireBlock(txn, base)
      branch.push(block)
      base = { number: base.number - 1, hash: block.header.parentHash }
    }
    return { base, branch: branch.reverse() }
  }

  /** Takes the blocks after `base` off the chain, oldest first; throws if the state of `base` or these blocks were deleted. */
  function unwindTo(txn: Transaction, base: number): HashedBlock[] {
    try {
      return writer.unwindTo(txn, base).reverse()
    } catch (error) {
      const floor = floorIn(error)
      if (floor === undefined) throw error
      throw new ChainError({ code: 'BRANCH_TOO_DEEP', base, floor }, error)
    }
  }

  /** Makes the branch that ends in `tip` canonical: unwinds to where it starts and runs its blocks. */
  function reorganise(txn: Transaction, tip: HashedBlock): Pick<HeadEvent, 'added' | 'removed'> {
    const { base, branch } = branchOf(txn, tip)
    const removed = unwindTo(txn, base.number)
    let parent = requireHeaderRecord(txn, base)
    for (const hashed of branch)
      parent = recordIfBad(badBlocks, hashed, () => {
        const { outcome } = runSteps(runner.run(txn, hashed, spec.rulesAt(hashed.header)))
        return writer.append(txn, hashed, outcome, parent)
      })
    return { added: branch, removed }
  }

  return (txn, hashed) => {
    const { header, hash } = hashed
    const head = requireHead(txn)
    const onHead = equalBytes(head.hash, header.parentHash)
    // A known block on the head was taken off when the head was set back: it may be imported again.
    if (!onHead && findBlock(txn, hash)) return { status: 'known', event: undefined }
    const parentKey = findBlock(txn, header.parentHash)
    const isAhead = !onHead && parentKey && isAheadOf(txn, head, parentKey)
    const parent = parentKey && !isAhead && readHeader(txn, parentKey)
    if (!parent) throw new BlockError({ code: 'PARENT_UNKNOWN', parent: header.parentHash })
    const rules = rulesIfChecked(hashed) ?? consensus.validateHeader(header, parent, viewOf(txn))
    if (onHead) return { status: 'extended', event: extend(txn, hashed, parent, rules) }
    checkRest(txn, hashed, rules)
    const record = { header, hash, totalDifficulty: parent.totalDifficulty + header.difficulty }
    writeHeader(txn, record)
    writeBody(txn, keyOfBlock(hashed), hashed.block)
    if (!consensus.isBetter(record, head, viewOf(txn))) return { status: 'side', event: undefined }
    return { status: 'reorganised', event: { head: record, ...reorganise(txn, hashed) } }
  }
}

/** The first block of which what is needed to go back was not deleted, if that is why it failed. */
function floorIn(error: unknown): number | undefined {
  if (error instanceof StateError) return error.at.floor
  return error instanceof PastError && error.at.code === 'BLOCK_NOT_HERE' ? error.at.past.first : undefined
}
