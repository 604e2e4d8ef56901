import type { Engine } from '../evm/engine.ts'
import {
  applyBlock,
  type BlockOutcome,
  type BlockRun,
  startBlock,
  verifyOutcome,
  verifyStateRoot,
} from '../execution/applyBlock.ts'
import { completeHeader } from '../execution/completeHeader.ts'
import { BlockError, condemns } from '../execution/fault.ts'
import { validateBody, validateOmmers } from '../execution/validateBody.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Rules } from '../forks/rules.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { createHost } from '../state/createHost.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { BlockKey } from '../store/chainTables.ts'
import type { Store } from '../store/openStore.ts'
import type { Transaction } from '../store/table.ts'
import type { Block } from '../types/block.ts'
import type { Tx } from '../types/transaction.ts'
import { createBadBlocks } from './badBlocks.ts'
import { appendCanonical, dropCanonical } from './canonical.ts'
import { createView } from './createView.ts'
import type { ConsensusEngine } from './engine.ts'
import { ChainError } from './fault.ts'
import { openGenesis } from './genesis.ts'
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
import type { ChainView, SealedBlock, SealedHeader, StoredReceipt } from './view.ts'

/** What became of a block that was given to the chain. */
export type ImportStatus = 'extended' | 'reorganised' | 'side' | 'known'

/** Told after a commit: the new head, the blocks that joined the canonical chain and those that left it, oldest first. */
export interface HeadEvent {
  readonly head: SealedHeader
  readonly added: readonly SealedBlock[]
  readonly removed: readonly SealedBlock[]
}

export interface ChainParts {
  readonly spec: ChainSpec
  readonly store: Store
  readonly states: StateStore
  readonly consensus: ConsensusEngine
  /** Runs blocks; the chain is its only user. */
  readonly evm: Engine
  /** Keep what a reverted transaction returned. */
  readonly keepRevertReasons?: boolean
}

/** Bytes of linear memory from which on the interpreter starts with an empty cache again. */
const cacheLimit = 256 << 20

/** The chain: the only writer of blocks and of the public state. */
export function createChain(parts: ChainParts) {
  const { spec, store, states, consensus, evm, keepRevertReasons = false } = parts
  const genesis = openGenesis(store, spec, states, consensus)
  const badBlocks = createBadBlocks()
  const listeners = new Set<(event: HeadEvent) => void>()
  /** Block on whose state the interpreter's cache stands. */
  let cachedAt: Hash32 | undefined

  const seal = (block: Block): SealedBlock => ({ header: block.header, hash: consensus.hash(block.header), block })

  function view(): ChainView {
    const snapshot = store.read()
    return createView(spec, states, snapshot, () => snapshot.close())
  }

  /** Readies the interpreter on the state after `parent`; what it remembers from the block before is kept. */
  function standOn(txn: Transaction, parent: SealedHeader): void {
    if (cachedAt && equalBytes(cachedAt, parent.hash) && evm.memoryBytes() < cacheLimit) return
    evm.reset(createHost(states.at(txn, 'latest'), (number) => canonicalKey(txn, number)?.hash))
    cachedAt = parent.hash
  }

  function contextOf(txn: Transaction, block: Block, rules: Rules) {
    const beneficiary = consensus.beneficiary(block.header)
    const reward = consensus.reward(block.header)
    return {
      spec,
      rules,
      rootOf: (changes: BlockOutcome['changes']) => states.rootOf(txn, changes),
      ...(beneficiary && { beneficiary }),
      ...(reward !== undefined && { reward }),
    }
  }

  function storedReceipts(outcome: BlockOutcome): StoredReceipt[] {
    return outcome.receipts.map((receipt, i) => {
      const { gasUsed, halt, output } = outcome.outcomes[i]!
      const reverted = keepRevertReasons && halt === 'revert' && output.length > 0
      return { ...receipt, gasUsed, revertReason: reverted ? output : undefined }
    })
  }

  /** Writes a block that was executed on the head and makes it the head. */
  function append(txn: Transaction, sealed: SealedBlock, parent: HeaderRecord, outcome: BlockOutcome): HeaderRecord {
    const key = keyOfBlock(sealed)
    const { header, hash, block } = sealed
    const record = { header, hash, totalDifficulty: parent.totalDifficulty + header.difficulty }
    const receipts = storedReceipts(outcome)
    writeHeader(txn, record)
    writeBody(txn, key, block)
    writeReceipts(txn, key, receipts)
    appendCanonical(txn, key, block.transactions, receipts)
    evm.flushed()
    cachedAt = hash
    return record
  }

  /** Executes a checked block on the head, which is its parent. */
  function execute(txn: Transaction, sealed: SealedBlock, parent: HeaderRecord, rules: Rules): HeaderRecord {
    standOn(txn, parent)
    const outcome = applyBlock(evm, sealed.block, contextOf(txn, sealed.block, rules))
    verifyOutcome(sealed.block, outcome, rules)
    verifyStateRoot(sealed.block, states.commit(txn, Number(sealed.header.number), outcome.changes))
    return append(txn, sealed, parent, outcome)
  }

  /** Checks everything that can be checked without running the block. */
  function check(txn: Transaction, sealed: SealedBlock, parent: HeaderRecord): Rules {
    const chain = createView(spec, states, txn, () => {})
    const rules = consensus.validateHeader(sealed.header, parent, chain)
    validateBody(sealed.block, rules)
    validateOmmers(sealed.block, {
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
    return rules
  }

  function headOf(txn: Transaction): HeaderRecord {
    return requireHeader(txn, readMark(txn, 'head')!)
  }

  function blockOf(txn: Transaction, key: BlockKey): SealedBlock {
    const { header, hash } = requireHeader(txn, key)
    return { header, hash, block: { header, ...readBody(txn, key)! } }
  }

  /** Takes canonical blocks off until `number` is the head; gives them newest first. */
  function unwindTo(txn: Transaction, number: number): SealedBlock[] {
    const removed: SealedBlock[] = []
    let key = readMark(txn, 'head')!
    while (key.number > number) {
      removed.push(blockOf(txn, key))
      key = keyOfBlock(dropCanonical(txn, key))
    }
    states.unwind(txn, number)
    cachedAt = undefined
    return removed
  }

  /** Switches to the branch that ends in `tip`, whose ancestors are stored; the tip itself may be new. */
  function reorganise(txn: Transaction, tip: SealedBlock): { added: SealedBlock[]; removed: SealedBlock[] } {
    const added = [tip]
    let key: BlockKey = { number: Number(tip.header.number) - 1, hash: tip.header.parentHash }
    while (!isCanonicalKey(txn, key)) {
      const block = blockOf(txn, key)
      added.unshift(block)
      key = { number: key.number - 1, hash: block.header.parentHash }
    }
    const removed = unwindTo(txn, key.number).reverse()
    let parent = requireHeader(txn, key)
    for (const block of added) parent = blaming(block, () => execute(txn, block, parent, spec.rulesAt(block.header)))
    return { added, removed }
  }

  /** Remembers the block that makes an import fail. */
  function blaming<T>(sealed: SealedBlock, action: () => T): T {
    try {
      return action()
    } catch (error) {
      if (error instanceof BlockError && error.at.code !== 'PARENT_UNKNOWN')
        badBlocks.add({ ...sealed, reason: error.message, condemned: condemns(error.at) })
      throw error
    }
  }

  function importInto(txn: Transaction, sealed: SealedBlock): { status: ImportStatus; event: HeadEvent | undefined } {
    const { header, hash } = sealed
    if (findBlock(txn, hash)) return { status: 'known', event: undefined }
    const parentKey = findBlock(txn, header.parentHash)
    const parent = parentKey && readHeader(txn, parentKey)
    if (!parent) throw new BlockError({ code: 'PARENT_UNKNOWN', parent: header.parentHash })
    const rules = check(txn, sealed, parent)
    const head = headOf(txn)
    if (equalBytes(head.hash, parent.hash)) {
      const record = execute(txn, sealed, parent, rules)
      return { status: 'extended', event: { head: record, added: [sealed], removed: [] } }
    }
    const record = { header, hash, totalDifficulty: parent.totalDifficulty + header.difficulty }
    writeHeader(txn, record)
    writeBody(txn, keyOfBlock(sealed), sealed.block)
    if (!consensus.isBetter(record, head)) return { status: 'side', event: undefined }
    return { status: 'reorganised', event: { head: record, ...reorganise(txn, sealed) } }
  }

  /** One write transaction; when it fails nothing of it is left, also not in the interpreter's memory. */
  function write<T>(action: (txn: Transaction) => T): T {
    try {
      return store.write(action)
    } catch (error) {
      cachedAt = undefined
      throw error
    }
  }

  function announce(event: HeadEvent | undefined): void {
    if (event) for (const listener of listeners) listener(event)
  }

  /** Imports one block. A BlockError says why it was refused; nothing of it is kept then, except among the bad blocks. */
  function importBlock(block: Block): ImportStatus {
    const sealed = seal(block)
    const bad = badBlocks.find(sealed.hash)
    if (bad?.condemned) throw new BlockError({ code: 'KNOWN_BAD_BLOCK', reason: bad.reason })
    const { status, event } = blaming(sealed, () => write((txn) => importInto(txn, sealed)))
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
          const sealed = seal(block)
          const { event } = blaming(sealed, () => importInto(txn, sealed))
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

  /**
   * Makes a block on the head: `draft` has what its producer decides, `select` runs transactions and gives those that
   * were taken (undefined gives the block up), `finish` seals the header. Executed once, written at once.
   */
  function produce(
    draft: Block,
    select: (run: BlockRun) => readonly Tx[] | undefined,
    finish: (block: Block) => Block = (block) => block,
  ): SealedBlock | undefined {
    const event = write((txn): HeadEvent | undefined => {
      const parent = headOf(txn)
      const rules = spec.rulesAt(draft.header)
      standOn(txn, parent)
      const run = startBlock(evm, draft, contextOf(txn, draft, rules))
      const transactions = select(run)
      if (!transactions) {
        cachedAt = undefined
        return undefined
      }
      const outcome = run.finish()
      const stateRoot = states.commit(txn, Number(draft.header.number), outcome.changes)
      const header = completeHeader(draft, transactions, outcome, stateRoot, rules)
      const made = seal(finish({ ...draft, transactions, header }))
      return { head: append(txn, made, parent, outcome), added: [made], removed: [] }
    })
    announce(event)
    return event?.added[0]
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
    produce,
    setHead,
    /** Names the last safe or final block, or forgets it. */
    setMark: (mark: Exclude<Mark, 'head'>, hash: Hash32 | undefined): void =>
      write((txn) => writeMark(txn, mark, hash)),
    /** Calls after each change of head, once it is on disk; gives a function that ends it. */
    onHead(listener: (event: HeadEvent) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export type Chain = ReturnType<typeof createChain>
