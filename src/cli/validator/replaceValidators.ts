import { failed } from '../../config/fault.ts'
import { quorumOf } from '../../consensus/bft/checkCommitSeals.ts'
import { type ChainSpec, createChainSpec } from '../../forks/chainSpec.ts'
import type { BftConfig } from '../../forks/consensusConfig.ts'
import { parseGenesisFile } from '../../forks/genesisFile.ts'
import { type GenesisChange, withChanges } from '../upgrade/genesisChanges.ts'

export interface ReplaceWish {
  /** Text of the genesis file. */
  readonly text: string
  /** The first block that the new validators make. */
  readonly block: number
  /** All of them, in lower case. */
  readonly validators: readonly string[]
}

/** The genesis file by which other validators go on with a chain, from a block on. */
export interface Replacement {
  readonly text: string
  readonly engine: 'ibft2' | 'qbft'
  /** Whether the network was one of Clique, and goes on as one of QBFT. */
  readonly migrates: boolean
  /** How many of them may fail. */
  readonly tolerance: number
}

function changesFor({ kind, entry, clique }: Target, block: bigint): GenesisChange[] {
  const list: GenesisChange = { path: ['config', 'transitions', kind], value: { entry } }
  if (!clique) return [list]
  // Clique has no transition to other signers: the network goes on as one of QBFT.
  const section = [
    ['blockperiodseconds', BigInt(clique.period)],
    ['requesttimeoutseconds', BigInt(Math.max(2, 2 * clique.period))],
    ['epochlength', clique.epochLength],
    ['startblock', block],
  ] as const
  return [...section.map(([key, value]) => ({ path: ['config', 'qbft', key], value })), list]
}

interface Target {
  readonly kind: 'ibft2' | 'qbft'
  readonly entry: {
    readonly block: bigint
    readonly validators: readonly string[]
    readonly validatorselectionmode?: string
  }
  readonly clique?: { readonly period: number; readonly epochLength: bigint }
}

function targetOf({ text, block, validators }: ReplaceWish): Target {
  const { consensus } = createChainSpec(parseGenesisFile(text))
  const plain = { block: BigInt(block), validators }
  if (consensus.kind === 'none' || consensus.kind === 'ethash')
    throw failed('only networks of Clique, IBFT 2.0 and QBFT have validators')
  const { successor } = consensus
  const has = successor && BigInt(block) >= successor.startBlock ? successor.config : consensus
  if (has.kind === 'clique') {
    if (successor)
      throw failed(`the genesis file has a change to QBFT at block ${successor.startBlock}, after ${block}`)
    return {
      kind: 'qbft',
      entry: plain,
      clique: { period: has.blockPeriodSeconds || 1, epochLength: BigInt(has.epochLength) },
    }
  }
  const bft: BftConfig = has
  const byContract =
    bft.validatorContract ?? bft.transitions.findLast((one) => one.block < BigInt(block))?.validatorContract
  return { kind: bft.kind, entry: byContract ? { ...plain, validatorselectionmode: 'blockheader' } : plain }
}

/** Behind a fork by time a transition is by time, too, unless the file says that blocks stay blocks. */
const blocksStayBlocks: GenesisChange = { path: ['config', 'quoin', 'transitionsByTime'], value: false }

const bftOf = ({ consensus }: ChainSpec): readonly BftConfig[] => {
  if (consensus.kind === 'none' || consensus.kind === 'ethash') return []
  const after = consensus.successor ? [consensus.successor.config] : []
  return consensus.kind === 'clique' ? after : [consensus, ...after]
}

/** Transitions that look like blocks and are times. */
const mistaken = (spec: ChainSpec): number =>
  bftOf(spec).flatMap(({ transitions }) => transitions.filter(({ byTime, block }) => byTime && block < 1_000_000_000n))
    .length

function withTransition(text: string, changes: readonly GenesisChange[]): string {
  const plain = withChanges(text, changes)
  if (mistaken(createChainSpec(parseGenesisFile(plain))) === 0) return plain
  if (mistaken(createChainSpec(parseGenesisFile(text))) > 0)
    throw failed(
      'behind a fork by time, "block" of a transition is a time, and the file has such transitions already: write this one by hand',
    )
  const after = withChanges(text, [...changes, blocksStayBlocks])
  // What the file says now is what nodes will read.
  createChainSpec(parseGenesisFile(after))
  return after
}

/** Writes into a genesis file that others are validators from a block on; the genesis block stays the same. */
export function replaceValidators(wish: ReplaceWish): Replacement {
  const { text, block, validators } = wish
  if (validators.length === 0) throw failed('there have to be validators')
  if (new Set(validators).size < validators.length) throw failed('a validator is named twice')
  const target = targetOf(wish)
  return {
    text: withTransition(text, changesFor(target, BigInt(block))),
    engine: target.kind,
    migrates: target.clique !== undefined,
    tolerance: validators.length - quorumOf(validators.length),
  }
}
