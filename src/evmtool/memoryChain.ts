import { isHeavier } from '../consensus/mainnet/mainnetEngine.ts'
import type { Evm } from '../evm/evm.ts'
import { applyBlock, verifyOutcome, verifyStateRoot } from '../execution/applyBlock.ts'
import { checkMerge } from '../execution/checkMerge.ts'
import { BlockError } from '../execution/fault.ts'
import { type Ancestry, validateBody, validateOmmers } from '../execution/validateBody.ts'
import { validateHeader } from '../execution/validateHeader.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { keyOf } from '../primitives/bytes.ts'
import { runSteps } from '../primitives/steps.ts'
import type { Block } from '../types/block.ts'
import { type Header, headerHash } from '../types/header.ts'
import { applyChanges, createMemoryHost, type MemoryState, stateRoot } from './memoryState.ts'

/** An imported block with the state after it. */
export interface Link {
  readonly hash: Hash32
  readonly header: Header
  readonly ommers: readonly Header[]
  readonly state: MemoryState
  readonly totalDifficulty: bigint
}

export interface MemoryChain {
  /** Checks and executes a block on its parent, on any branch; throws if it is invalid. */
  import(block: Block): void
  head(): Link
}

export interface MemoryChainOptions {
  readonly spec: ChainSpec
  readonly evm: Evm
  readonly genesis: { readonly header: Header; readonly state: MemoryState }
  /** Checks the proof of work; if absent, it is not checked. */
  readonly verifySeal?: (header: Header) => void
}

/** An in-memory chain that keeps the state after every block, so that any branch can be extended. */
export function createMemoryChain({ spec, evm, genesis, verifySeal }: MemoryChainOptions): MemoryChain {
  const links = new Map<string, Link>()
  const first: Link = {
    ...genesis,
    hash: headerHash(genesis.header),
    ommers: [],
    totalDifficulty: genesis.header.difficulty,
  }
  links.set(keyOf(first.hash), first)
  let head = first

  function ancestorHash(parent: Link, number: bigint): Hash32 | undefined {
    let link: Link | undefined = parent
    while (link && link.header.number > number) link = links.get(keyOf(link.header.parentHash))
    return link?.hash
  }

  function checkHeader(header: Header, parent: Header) {
    const rules = validateHeader(header, parent, spec)
    if (!rules.proofOfStake) verifySeal?.(header)
    return rules
  }

  const ancestry: Ancestry = { block: (hash) => links.get(keyOf(hash)), checkOmmer: checkHeader }

  function run(block: Block, parent: Link): MemoryState {
    checkMerge(block.header, parent.totalDifficulty, spec)
    const rules = checkHeader(block.header, parent.header)
    validateBody(block, rules)
    validateOmmers(block, ancestry)
    evm.reset(createMemoryHost(parent.state, (number) => ancestorHash(parent, number)))
    const rootOf = (changes: Parameters<typeof applyChanges>[1]) => stateRoot(applyChanges(parent.state, changes))
    const outcome = applyBlock(evm, block, { spec, rules, rootOf })
    runSteps(verifyOutcome(block, outcome, rules))
    const state = applyChanges(parent.state, outcome.changes)
    verifyStateRoot(block, stateRoot(state))
    return state
  }

  return {
    head: () => head,
    import(block) {
      const { header, ommers } = block
      const hash = headerHash(header)
      if (links.has(keyOf(hash))) return
      const parent = links.get(keyOf(header.parentHash))
      if (!parent) throw new BlockError({ code: 'PARENT_UNKNOWN', parent: header.parentHash })
      const totalDifficulty = parent.totalDifficulty + header.difficulty
      const link: Link = { hash, header, ommers, state: run(block, parent), totalDifficulty }
      links.set(keyOf(hash), link)
      if (isHeavier(link, head)) head = link
    },
  }
}
