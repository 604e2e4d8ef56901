import type { CliqueMachine, CliqueMachineParts, CliqueTimer } from '../../src/consensus/clique/cliqueMachine.ts'
import { createVotes, type Votes } from '../../src/consensus/voting/votes.ts'
import { BlockError } from '../../src/execution/fault.ts'
import { keyOf, never } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Block } from '../../src/types/block.ts'
import { headerHash } from '../../src/types/header.ts'
import type { Authority } from '../support/authorityChain.ts'
import type { CliqueEntry, CliqueLaw } from './cliqueLaw.ts'
import { createSimDriver, type FailingPart, Injected, type SimDriver } from './simDriver.ts'
import { Violation, type World } from './world.ts'

export interface CliqueNodeParts {
  readonly world: World
  readonly law: CliqueLaw
  readonly key: Authority
  readonly name: string
  readonly blockPeriodSeconds: number
  readonly createMachine: (parts: CliqueMachineParts) => CliqueMachine
  readonly isBetter: CliqueLaw['isBetter']
  readonly signersAfter: CliqueLaw['signersAfter']
  readonly skew: () => number
  /** Asked before each effect: whether the node dies there. */
  readonly dies: () => boolean
  /** Asked in a crash: whether the last block is lost, too. */
  readonly forgets: () => boolean
  /** An own block is about to be shown to others. */
  readonly onSeal: (block: Block) => void
  readonly onImport: (entry: CliqueEntry) => void
  readonly fails: (part: FailingPart) => boolean
  readonly announce: (block: Block) => void
  readonly onBehind: (from: number) => void
  /** Whether no more blocks are to be made. */
  readonly isOver: () => boolean
}

/** A signer's node: the machine, its driver, and a tree of blocks. Record and blocks outlive a crash. */
export interface CliqueNode {
  readonly key: Authority
  readonly votes: Votes
  readonly name: string
  start(): void
  crash(): void
  isUp(): boolean
  head(): CliqueEntry
  /** The branch of the head as far as another does not know it, oldest first. */
  blocksFor(other: CliqueNode): readonly Block[]
  knows(block: Block): boolean
  receiveBlocks(blocks: readonly Block[], from: number): void
}

export function createCliqueNode(parts: CliqueNodeParts): CliqueNode {
  const { world, law, key, name } = parts
  const votes = createVotes()
  const known = new Set([keyOf(law.genesis.hash)])
  let head = law.genesis
  let record: Uint8Array | undefined
  let driver: SimDriver | undefined

  const localNow = () => world.now() + parts.skew()
  const knows = ({ header }: Block) => known.has(keyOf(headerHash(header)))

  function crash(): void {
    const parent = law.parentOf(head)
    const hasForgotten = parent !== undefined && parts.forgets()
    world.note(() => `${name} crashes${hasForgotten ? ' and forgets its last block' : ''}`)
    if (hasForgotten) {
      // Branches go with it: the chain offers a block that it knows again when it fits, and this tree does not.
      head = parent
      known.clear()
      for (let at: CliqueEntry | undefined = parent; at; at = law.parentOf(at)) known.add(keyOf(at.hash))
    }
    driver?.stop()
    driver = undefined
  }

  /** The fault for which a block is refused; it joins the tree otherwise. */
  function add(block: Block, parent: CliqueEntry): string | undefined {
    const entry = law.judge(block, parent, localNow())
    if (typeof entry === 'string') return entry
    known.add(keyOf(entry.hash))
    parts.onImport(entry)
    if (parts.isBetter(entry, head)) {
      head = entry
      world.note(() => `${name} goes to block ${entry.header.number} ${toHex(entry.hash).slice(2, 10)}`)
    }
    return undefined
  }

  function importOwn(block: Block): void {
    const before = head
    parts.onSeal(block)
    if (!knows(block)) {
      const parent = law.entryOf(block.header.parentHash)
      const fault = parent ? add(block, parent) : 'no parent'
      // A clock that was set back makes even a valid block wait.
      if (fault === 'TIMESTAMP_IN_FUTURE') throw new BlockError({ code: 'SEAL_INVALID' })
      if (fault) throw new Violation(`${name} sealed a block that is not valid: ${fault}`)
    }
    if (head !== before) driver?.onHead()
  }

  const createMachine = (restored: Uint8Array | undefined) =>
    parts.createMachine({
      address: key.address,
      periodAfter: () => parts.blockPeriodSeconds,
      build(plan) {
        if (parts.fails('build')) throw new Injected('build fails')
        return law.build(key, plan, votes, world.random.bytes(4))
      },
      signersAfter: parts.signersAfter,
      mustWait: (at, signers) => law.mustWait(key.address, at, signers),
      random: () => world.random.below(1000) / 1000,
      restored,
    })

  return {
    key,
    votes,
    name,
    crash,
    knows,
    isUp: () => driver !== undefined,
    head: () => head,
    blocksFor(other) {
      const blocks: Block[] = []
      for (let at = head; at.block && !other.knows(at.block); at = law.parentOf(at)!) blocks.unshift(at.block)
      return blocks
    },
    start() {
      if (driver) return
      world.note(() => `${name} starts at height ${head.header.number + 1n}${record ? ', with a record' : ''}`)
      driver = createSimDriver<CliqueTimer, never>({
        world,
        name,
        skew: parts.skew,
        dies: parts.dies,
        crash,
        head: () => head,
        hash: headerHash,
        record: {
          read: () => record,
          write(bytes) {
            record = bytes
          },
        },
        fails: parts.fails,
        importBlock: importOwn,
        announce: parts.announce,
        isCatchingUp: parts.isOver,
        createMachine,
        perform: never,
      })
      driver.start()
    },
    receiveBlocks(blocks, from) {
      if (!driver) return
      const before = head
      for (const block of blocks) {
        if (knows(block)) continue
        const parent = law.entryOf(block.header.parentHash)
        if (!parent || !known.has(keyOf(parent.hash))) return parts.onBehind(from)
        if (add(block, parent)) break
      }
      if (head !== before) driver.onHead()
    },
  }
}
