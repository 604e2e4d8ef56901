import type { BftHeightParts } from './bftHeight.ts'
import { type BlockSchedule, createBlockSchedule } from './blockSchedule.ts'
import type { BftBlockPlan, BlockFlaw } from './machine.ts'
import type { PreparedBlock } from './messages.ts'
import { type ProposedBlock, toProposedBlock, withRound } from './proposedBlock.ts'

/** Builds and checks the blocks of one height. Times are in milliseconds. */
export interface HeightBlocks {
  /** When blocks are due. */
  readonly schedule: Pick<BlockSchedule, 'period' | 'begin' | 'came' | 'lookAgain'>
  /** Builds the block of round 0, where it is this validator's turn; `later` while it would be empty and has to wait. */
  first(isOwnTurn: boolean, now: number): ProposedBlock | 'later' | undefined
  /** What `first` would build now. */
  foreseeFirst(now: number): BftBlockPlan | undefined
  /** The block of a later round: the one that was prepared before, or a new one. */
  later(round: number, prepared: PreparedBlock | undefined, now: number): ProposedBlock | undefined
  /** Whether a block was found valid before. */
  isKnown(block: ProposedBlock): boolean
  /** What is wrong with a block; undefined if it is valid. */
  flawOf(block: ProposedBlock): BlockFlaw | undefined
}

type HeightBlocksParts = Pick<BftHeightParts, 'parts' | 'parent' | 'beat'>

const isEmpty = ({ block }: ProposedBlock) => block.transactions.length === 0

class ParentBlocks implements HeightBlocks {
  private readonly codec: BftHeightParts['parts']['protocol']['codec']
  private readonly blocks: BftHeightParts['parts']['blocks']
  private readonly parent: BftHeightParts['parent']
  readonly schedule: BlockSchedule
  private readonly valid = new WeakSet<ProposedBlock>()

  constructor({ parts, parent, beat }: HeightBlocksParts) {
    this.codec = parts.protocol.codec
    this.blocks = parts.blocks
    this.parent = parent
    this.schedule = createBlockSchedule(parent, parts.timingAt(parent.header.number + 1n), beat)
  }

  private build(plan: BftBlockPlan): ProposedBlock | undefined {
    const block = this.blocks.build(plan)
    return block && toProposedBlock(this.codec, block)
  }

  private isIdle(now: number): boolean {
    return this.schedule.mustNotBeEmpty(now) && !this.blocks.hasTransactions(this.parent)
  }

  readonly first: HeightBlocks['first'] = (isOwnTurn, now) => {
    if (this.isIdle(now)) return 'later'
    const block = isOwnTurn ? this.build(this.schedule.planFirst(now)) : undefined
    return block && isEmpty(block) && this.schedule.mustNotBeEmpty(now) ? 'later' : block
  }

  readonly foreseeFirst: HeightBlocks['foreseeFirst'] = (now) =>
    this.isIdle(now) ? undefined : this.schedule.planFirst(now)

  readonly later: HeightBlocks['later'] = (round, prepared, now) => {
    if (!prepared) return this.build(this.schedule.planLater(round, now))
    const { block, certificate } = prepared
    if (this.flawOf(block)) return undefined
    // A block that still carries an older round, as Besu 23 proposes it, stays as it is.
    return block.data.round === certificate.round ? withRound(this.codec, block, round) : block
  }

  readonly isKnown: HeightBlocks['isKnown'] = (block) => this.valid.has(block)

  readonly flawOf: HeightBlocks['flawOf'] = (block) => {
    if (this.valid.has(block)) return undefined
    const flaw = this.blocks.flawOf(block.block, this.parent)
    if (!flaw) this.valid.add(block)
    return flaw
  }
}

export function createHeightBlocks(parts: HeightBlocksParts): HeightBlocks {
  return new ParentBlocks(parts)
}
