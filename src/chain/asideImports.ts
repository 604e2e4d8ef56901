import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { runInTurns, type Steps } from '../primitives/steps.ts'
import type { Draft } from '../store/draft.ts'
import type { Aside } from '../store/openStore.ts'
import type { Reader } from '../store/table.ts'
import type { BlockRunner, ExecutedBlock } from './blockRunner.ts'
import type { BlockWriter } from './blockWriter.ts'
import type { NextTurn } from './chain.ts'
import type { ConsensusEngine } from './engine.ts'
import type { HeadEvent } from './events.ts'
import { hasBodyOf, type Proposals } from './proposals.ts'
import { requireHead, writeHeader } from './records.ts'
import type { ChainView, HashedBlock } from './view.ts'

export interface AsideImportsParts {
  readonly aside: Aside
  readonly latest: Reader
  readonly consensus: ConsensusEngine
  readonly proposals: Proposals
  readonly writer: BlockWriter
  readonly runner: Pick<BlockRunner, 'onCommitted' | 'forget'>
  viewOf(reader: Reader): ChainView
  announce(event: HeadEvent): void
}

/** Imports of blocks that were run when they were proposed: their rows are made in turns, and another thread writes them. */
export interface AsideImports {
  /** The rows of a block, all but its header; undefined if it was not run on the head, or something else was written meanwhile. */
  draft(hashed: HashedBlock, nextTurn: NextTurn): Promise<Draft | undefined>
  /**
   * Validates the header and lets the rows be written; undefined if that has to be done at once, without this. The promise ends
   * when the block is on disk and announced.
   */
  begin(hashed: HashedBlock, draft: Draft): Promise<void> | undefined
  /** The block that is being written. */
  writing(): Hash32 | undefined
  /** Waits until nothing is being written, and announces what was. */
  finish(): void
}

export function createAsideImports(parts: AsideImportsParts): AsideImports {
  const { aside, latest, consensus, proposals, writer, runner, viewOf, announce } = parts
  const drafts = new WeakMap<ExecutedBlock, Promise<Draft | undefined>>()
  let current: { readonly hash: Hash32; end(): void } | undefined

  function* makeDraft(draft: Draft, proposal: ExecutedBlock): Steps<Draft> {
    yield* writer.rowsInSteps(draft.txn, proposal, proposal.outcome)
    return draft
  }

  function draftOf(proposal: ExecutedBlock, nextTurn: NextTurn): Promise<Draft | undefined> {
    const draft = aside.openDraft()
    const isOver = () => proposals.find(proposal.hash) !== proposal || !draft.isCurrent()
    return runInTurns(makeDraft(draft, proposal), nextTurn, isOver)
  }

  return {
    async draft({ hash, block }, nextTurn) {
      if (!aside.isStarted()) {
        void aside.start().catch(() => {})
        return undefined
      }
      const proposal = proposals.find(hash)
      if (!proposal || !hasBodyOf(proposal, block) || current) return undefined
      let draft = drafts.get(proposal)
      if (!draft) drafts.set(proposal, (draft = draftOf(proposal, nextTurn)))
      const made = await draft
      return made?.isCurrent() && proposals.find(hash) === proposal ? made : undefined
    },
    begin(hashed, draft) {
      const { header, hash } = hashed
      const parent = requireHead(latest)
      if (current || !equalBytes(parent.hash, header.parentHash)) return undefined
      consensus.validateHeader(header, parent, viewOf(latest))
      const head = { header, hash, totalDifficulty: parent.totalDifficulty + header.difficulty }
      writeHeader(draft.txn, head)
      const write = aside.write(draft)
      if (!write) return undefined
      const own = {
        hash,
        end() {
          if (current !== own) return
          current = undefined
          if (!write.isWritten()) {
            runner.forget()
            proposals.clear()
            return
          }
          runner.onCommitted(hash)
          announce({ head, added: [hashed], removed: [] })
        },
      }
      current = own
      return write.ended.finally(own.end)
    },
    writing: () => current?.hash,
    finish() {
      if (!current) return
      aside.settle()
      current.end()
    },
  }
}
