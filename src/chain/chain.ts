import type { Evm } from '../evm/evm.ts'
import {
  applyBlock,
  type BlockOutcome,
  type BlockRun,
  startBlock,
  verifyOutcome,
  verifyStateRoot,
} from '../execution/applyBlock.ts'
import { completeHeader } from '../execution/completeHeader.ts'
import { BlockError, isPermanent } from '../execution/fault.ts'
import { validateBody, validateOmmers } from '../execution/validateBody.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Rules } from '../forks/rules.ts'
import { type Address, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { BlockKey } from '../store/chainTables.ts'
import type { Store } from '../store/openStore.ts'
import type { Transaction } from '../store/table.ts'
import type { Block } from '../types/block.ts'
import type { Header } from '../types/header.ts'
import type { Tx } from '../types/transaction.ts'
import { createAnnouncer } from './announcer.ts'
import { createBadBlocks } from './badBlocks.ts'
import { appendCanonical, dropCanonical } from './canonical.ts'
import { createChainView } from './createChainView.ts'
import type { ConsensusEngine } from './engine.ts'
import { ChainError } from './fault.ts'
import { openGenesis } from './genesis.ts'
import { createProposals, hasBodyOf, type Proposal } from './proposals.ts'
import {
  canonicalKey,
  findBlock,
  type HeaderRecord,
  isCanonicalKey,
  keyOfBlock,
  type Mark,
  readBody,
  readHeader,
  readMark,
  requireHeader,
  writeBody,
  writeHeader,
  writeMark,
  writeReceipts,
} from './records.ts'
import { replayBlock } from './replayBlock.ts'
import { createStage } from './stage.ts'
import { storedReceiptsOf } from './storedReceipts.ts'
import type { ChainView, HashedBlock, HashedHeader } from './view.ts'

/** What became of a block that was given to the chain. */
export type ImportStatus = 'extended' | 'reorganised' | 'side' | 'known'

/** Told after a commit: the new head, the blocks that joined the canonical chain and those that left it, oldest first. */
export interface HeadEvent {
  readonly head: HashedHeader
  readonly added: readonly HashedBlock[]
  readonly removed: readonly HashedBlock[]
}

export interface ChainParts {
  readonly spec: ChainSpec
  readonly store: Store
  readonly states: StateStore
  readonly consensus: ConsensusEngine
  /** Runs blocks; the chain is its only user. */
  readonly evm: Evm
  /** Keep what a reverted transaction returned. */
  readonly keepRevertReasons?: boolean
  /** Index the logs of blocks as they come; else they are found by the blooms of headers. */
  readonly indexLogs?: boolean
}

/** What the maker of a block adds to it. */
export interface Maker {
  /** Who collects the fees, where it is the seal that tells. */
  readonly beneficiary?: Address
  /** Puts the maker's seal on a finished header. */
  readonly seal?: (header: Header) => Header
}

/** Runs transactions and gives those that are to be in the block; undefined gives the block up. */
export type Select = (run: BlockRun) => readonly Tx[] | undefined

/** The chain: the only writer of blocks and of the public state. */
export function createChain(parts: ChainParts) {
  const { spec, store, states, consensus, evm, keepRevertReasons = false, indexLogs = true } = parts
  const genesis = openGenesis(store, spec, states, consensus)
  const badBlocks = createBadBlocks()
  const heads = createAnnouncer<HeadEvent>()
  const stage = createStage(evm, states)
  const proposals = createProposals()

  const withHash = (block: Block): HashedBlock => ({ header: block.header, hash: consensus.hash(block.header), block })

  function view(): ChainView {
    const snapshot = store.read()
    return createChainView(spec, states, snapshot, () => snapshot.close())
  }

  function contextOf(txn: Transaction, block: Block, rules: Rules, maker: Maker = {}) {
    const beneficiary = maker.beneficiary ?? consensus.beneficiary(block.header)
    const reward = consensus.reward(block.header)
    return {
      spec,
      rules,
      rootOf: (changes: BlockOutcome['changes']) => states.rootOf(txn, changes),
      ...(beneficiary && { beneficiary }),
      ...(reward !== undefined && { reward }),
    }
  }

  /** Runs a checked block on the head, which is its parent. */
  function run(txn: Transaction, hashed: HashedBlock, parent: HashedHeader, rules: Rules): Proposal {
    stage.standOn(txn, parent.hash)
    const outcome = applyBlock(evm, hashed.block, contextOf(txn, hashed.block, rules))
    verifyOutcome(hashed.block, outcome, rules)
    stage.ran(hashed.hash)
    return { ...hashed, outcome }
  }

  /** Writes a block that was run on the head and makes it the head. */
  function append(txn: Transaction, hashed: HashedBlock, parent: HeaderRecord, outcome: BlockOutcome): HeaderRecord {
    const key = keyOfBlock(hashed)
    const { header, hash, block } = hashed
    verifyStateRoot(block, states.commit(txn, key.number, outcome.changes))
    const record = { header, hash, totalDifficulty: parent.totalDifficulty + header.difficulty }
    const receipts = storedReceiptsOf(outcome, keepRevertReasons)
    writeHeader(txn, record)
    writeBody(txn, key, block)
    writeReceipts(txn, key, receipts)
    appendCanonical(txn, key, block.transactions, receipts, indexLogs)
    stage.wrote(hash)
    return record
  }

  const viewOf = (txn: Transaction): ChainView => createChainView(spec, states, txn, () => {})

  /** Checks everything of a body that can be checked without running it. */
  function checkBody(txn: Transaction, hashed: HashedBlock, rules: Rules): void {
    validateBody(hashed.block, rules)
    validateOmmers(hashed.block, {
      block(hash) {
        const key = findBlock(txn, hash)
        const record = key && readHeader(txn, key)
        return record && { header: record.header, ommers: readBody(txn, key!)?.ommers ?? [] }
      },
      checkOmmer(ommer, ommerParent) {
        if (!consensus.validateOmmer) throw new BlockError({ code: 'OMMERS_NOT_ALLOWED' })
        consensus.validateOmmer(ommer, ommerParent)
      },
    })
  }

  function headOf(txn: Transaction): HeaderRecord {
    return requireHeader(txn, readMark(txn, 'head')!)
  }

  function blockOf(txn: Transaction, key: BlockKey): HashedBlock {
    const { header, hash } = requireHeader(txn, key)
    return { header, hash, block: { header, ...readBody(txn, key)! } }
  }

  /** Takes canonical blocks off until `number` is the head; gives them newest first. */
  function unwindTo(txn: Transaction, number: number): HashedBlock[] {
    const removed: HashedBlock[] = []
    let key = readMark(txn, 'head')!
    while (key.number > number) {
      removed.push(blockOf(txn, key))
      key = keyOfBlock(dropCanonical(txn, key))
    }
    states.unwind(txn, number)
    stage.forget()
    return removed
  }

  /** Switches to the branch that ends in `tip`, whose ancestors are stored; the tip itself may be new. */
  function reorganise(txn: Transaction, tip: HashedBlock): { added: HashedBlock[]; removed: HashedBlock[] } {
    const added = [tip]
    let key: BlockKey = { number: Number(tip.header.number) - 1, hash: tip.header.parentHash }
    while (!isCanonicalKey(txn, key)) {
      const block = blockOf(txn, key)
      added.unshift(block)
      key = { number: key.number - 1, hash: block.header.parentHash }
    }
    const removed = unwindTo(txn, key.number).reverse()
    let parent = requireHeader(txn, key)
    for (const block of added)
      parent = blaming(block, () => {
        const { outcome } = run(txn, block, parent, spec.rulesAt(block.header))
        return append(txn, block, parent, outcome)
      })
    return { added, removed }
  }

  /** Remembers the block that makes an import fail. */
  function blaming<T>(hashed: HashedBlock, action: () => T): T {
    try {
      return action()
    } catch (error) {
      if (error instanceof BlockError && error.at.code !== 'PARENT_UNKNOWN')
        badBlocks.add({ ...hashed, reason: error.message, condemned: isPermanent(error.at) })
      throw error
    }
  }

  /** Makes a checked block on the head the new one; it is run unless that was done before. */
  function extend(txn: Transaction, hashed: HashedBlock, parent: HeaderRecord, rules: Rules): HeadEvent {
    const proposal = proposals.find(hashed.hash)
    if (!proposal || !hasBodyOf(proposal, hashed.block)) checkBody(txn, hashed, rules)
    const { outcome } = proposal ?? run(txn, hashed, parent, rules)
    return { head: append(txn, hashed, parent, outcome), added: [hashed], removed: [] }
  }

  function importInto(txn: Transaction, hashed: HashedBlock): { status: ImportStatus; event: HeadEvent | undefined } {
    const { header, hash } = hashed
    const head = headOf(txn)
    const onHead = equalBytes(head.hash, header.parentHash)
    // A known block is on the head only where the head was set back: then it may come again.
    if (!onHead && findBlock(txn, hash)) return { status: 'known', event: undefined }
    const parentKey = findBlock(txn, header.parentHash)
    const parent = parentKey && readHeader(txn, parentKey)
    if (!parent) throw new BlockError({ code: 'PARENT_UNKNOWN', parent: header.parentHash })
    const rules = consensus.validateHeader(header, parent, viewOf(txn))
    if (onHead) return { status: 'extended', event: extend(txn, hashed, parent, rules) }
    checkBody(txn, hashed, rules)
    const record = { header, hash, totalDifficulty: parent.totalDifficulty + header.difficulty }
    writeHeader(txn, record)
    writeBody(txn, keyOfBlock(hashed), hashed.block)
    if (!consensus.isBetter(record, head, viewOf(txn))) return { status: 'side', event: undefined }
    return { status: 'reorganised', event: { head: record, ...reorganise(txn, hashed) } }
  }

  /** One write transaction; when it fails or is undone nothing of it is left, also not in the interpreter's memory. */
  function write<T>(action: (txn: Transaction, undo: (result: T) => never) => T): T {
    let undone: { readonly result: T } | undefined
    const undo = (result: T): never => {
      undone = { result }
      throw undone
    }
    try {
      return store.write((txn) => action(txn, undo))
    } catch (error) {
      stage.forget()
      if (undone && error === undone) return undone.result
      throw error
    }
  }

  function announce(event: HeadEvent | undefined): void {
    if (!event) return
    proposals.clear()
    heads.announce(event)
  }

  function refuseCondemned({ hash }: HashedBlock): void {
    const bad = badBlocks.find(hash)
    if (bad?.condemned) throw new BlockError({ code: 'KNOWN_BAD_BLOCK', reason: bad.reason })
  }

  /** Imports one block. A BlockError says why it was refused; nothing of it is kept then, except among the bad blocks. */
  function importBlock(block: Block): ImportStatus {
    const hashed = withHash(block)
    refuseCondemned(hashed)
    const { status, event } = blaming(hashed, () => write((txn) => importInto(txn, hashed)))
    announce(event)
    return status
  }

  /** Imports blocks in one transaction: all of them, or, when one is refused, those before it; then the fault is thrown. */
  function importBlocks(blocks: readonly Block[]): void {
    const events: HeadEvent[] = []
    let done = 0
    try {
      write((txn) => {
        for (const block of blocks) {
          const hashed = withHash(block)
          const { event } = blaming(hashed, () => importInto(txn, hashed))
          if (event) events.push(event)
          done++
        }
      })
    } catch (error) {
      if (done > 0) importBlocks(blocks.slice(0, done))
      throw error
    }
    for (const event of events) announce(event)
  }

  /** Runs what becomes a block on the head. */
  function make(txn: Transaction, head: HashedHeader, draft: Block, select: Select, maker: Maker) {
    const rules = spec.rulesAt(draft.header)
    stage.standOn(txn, head.hash)
    const blockRun = startBlock(evm, draft, contextOf(txn, draft, rules, maker))
    const transactions = select(blockRun)
    if (!transactions) return undefined
    const outcome = blockRun.finish()
    const header = completeHeader(draft, transactions, outcome, states.rootOf(txn, outcome.changes), rules)
    const hashed = withHash({ ...draft, transactions, header: maker.seal?.(header) ?? header })
    stage.ran(hashed.hash)
    return { ...hashed, outcome }
  }

  /**
   * Makes a block on the head, or on a canonical block before it, and writes nothing: `draft` has what its maker
   * decides, `select` fills it.
   */
  function propose(draft: Block, select: Select, maker: Maker = {}): HashedBlock | undefined {
    const { parentHash, number } = draft.header
    return write((txn, undo) => {
      const head = headOf(txn)
      if (equalBytes(head.hash, parentHash)) {
        const proposal = make(txn, head, draft, select, maker)
        if (proposal) proposals.keep(proposal)
        return proposal
      }
      if (!isCanonicalKey(txn, { number: Number(number) - 1, hash: parentHash }))
        throw new BlockError({ code: 'PARENT_UNKNOWN', parent: parentHash })
      unwindTo(txn, Number(number) - 1)
      return undo(make(txn, headOf(txn), draft, select, maker))
    })
  }

  /** Makes a block on the head and imports it as it is, in one step. */
  function produce(draft: Block, select: Select, maker: Maker = {}): HashedBlock | undefined {
    const event = write((txn): HeadEvent | undefined => {
      const parent = headOf(txn)
      const made = make(txn, parent, draft, select, maker)
      return made && { head: append(txn, made, parent, made.outcome), added: [made], removed: [] }
    })
    announce(event)
    return event?.added[0]
  }

  /**
   * Checks a block that is proposed on the head as an import would, except for seals that it is still to get, and
   * writes nothing. A BlockError says what is wrong with it.
   */
  function verify(block: Block): void {
    const hashed = withHash(block)
    refuseCondemned(hashed)
    blaming(hashed, () => write((txn) => verifyIn(txn, hashed)))
  }

  function verifyIn(txn: Transaction, hashed: HashedBlock): void {
    const head = headOf(txn)
    const { header, hash, block } = hashed
    if (!equalBytes(head.hash, header.parentHash))
      throw new BlockError({ code: 'PARENT_UNKNOWN', parent: header.parentHash })
    const rules = (consensus.validateProposal ?? consensus.validateHeader)(header, head, viewOf(txn))
    const known = proposals.find(hash)
    if (!known || !hasBodyOf(known, block)) checkBody(txn, hashed, rules)
    if (known) return
    const proposal = run(txn, hashed, head, rules)
    verifyStateRoot(block, states.rootOf(txn, proposal.outcome.changes))
    proposals.keep(proposal)
  }

  /** Makes an earlier canonical block the head; the blocks behind it stay known. */
  function setHead(number: bigint): void {
    const event = write((txn) => {
      const key = canonicalKey(txn, number)
      if (!key) throw new ChainError({ code: 'BLOCK_NOT_FOUND', number })
      const removed = unwindTo(txn, key.number).reverse()
      return { head: requireHeader(txn, key), added: [], removed }
    })
    announce(event)
  }

  return {
    spec,
    genesis,
    badBlocks,
    view,
    importBlock,
    importBlocks,
    propose,
    verify,
    produce,
    setHead,
    /** Takes the chain back to before a canonical block and imports that block again: both, or nothing. */
    replayBlock: (number: bigint): void => announce(write((txn) => replayBlock(txn, number, { unwindTo, importInto }))),
    /** A write transaction after which the state lies elsewhere; it is the same state. */
    exchangeState(exchange: (txn: Transaction) => void): void {
      write(exchange)
      stage.forget()
    },
    /** Names the last safe or final block, or forgets it. */
    setMark: (mark: Exclude<Mark, 'head'>, hash: Hash32 | undefined): void =>
      write((txn) => writeMark(txn, mark, hash)),
    /** Calls after each change of head, once it is on disk; gives a function that ends it. */
    onHead: heads.subscribe,
  }
}

export type Chain = ReturnType<typeof createChain>
