import { BlockError } from '../execution/fault.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { useAndClose } from '../primitives/useAndClose.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { Store } from '../store/store.ts'
import type { Reader } from '../store/table.ts'
import type { Block } from '../types/block.ts'
import { createAnnouncer } from './announcer.ts'
import { createBadBlocks, recordBad, recordIfBad } from './badBlocks.ts'
import type { IndexPace } from './blockIndex/blockIndex.ts'
import { blockIndexes } from './blockIndexes.ts'
import { createBlockProposer } from './blockProposer.ts'
import { createBlockRunner } from './blockRunner.ts'
import { createBlockWriter } from './blockWriter.ts'
import { type BulkImport, createBulkImport } from './bulkImport.ts'
import type { Chain, ChainDelegate, ChainDelegation } from './chain.ts'
import type { ChainParts } from './chainParts.ts'
import type { CheckedBlock } from './checkedBlock.ts'
import { createChainView } from './createChainView.ts'
import type { ConsensusEngine } from './engine.ts'
import type { HeadEvent } from './events.ts'
import { ChainError } from './fault.ts'
import { refuseFormerCalls } from './formerCalls.ts'
import { openGenesis } from './genesis.ts'
import { identify } from './identify.ts'
import { createBlockImporter } from './importBlock.ts'
import { createProposals } from './proposals.ts'
import { BlockPruner } from './pruning/pruneBlocks.ts'
import { canonicalKey, keyOfBlock, requireHead, requireHeaderRecord, writeMark } from './records.ts'
import { replayBlock } from './replayBlock.ts'
import { createStoreUse, type StoreUse } from './storeUse.ts'
import { adoptState } from './takeOver/adoptState.ts'
import { readLastHeader, writeHeadersAhead } from './takeOver/headersAhead.ts'
import { writePastBlocks } from './takeOver/pastBlocks.ts'
import type { ChainView, HashedBlock } from './view.ts'

/** Blocks whose states are deleted before it is asked whether there is more time. */
const statesAtOnce = 8

/** The chain over its store: what may write, what is announced, and proposals that were run already. */
class StoredChain implements Chain {
  private readonly parts: ChainParts
  readonly spec: ChainSpec
  private readonly store: Store
  private readonly states: StateStore
  private readonly consensus: ConsensusEngine
  readonly genesis: ReturnType<typeof openGenesis>
  readonly badBlocks = createBadBlocks()
  private readonly heads = createAnnouncer<HeadEvent>()
  private readonly proposals = createProposals()
  private readonly runner: ReturnType<typeof createBlockRunner>
  private readonly writer: ReturnType<typeof createBlockWriter>
  private readonly importInto: ReturnType<typeof createBlockImporter>
  private readonly proposer: ReturnType<typeof createBlockProposer>
  private readonly use: StoreUse
  private readonly blockPruner = new BlockPruner()
  /** What imports many blocks, here or in another thread. */
  private importer: Pick<ChainDelegate, 'deliver'> | undefined
  readonly onHead: Chain['onHead'] = this.heads.subscribe

  constructor(parts: ChainParts) {
    this.parts = parts
    const { spec, store, states, consensus, evm, keepRevertReasons = false } = parts
    this.spec = spec
    this.store = store
    this.states = states
    this.consensus = consensus
    const { indexLogs = true, indexAccounts = false, isBulk = false } = parts
    this.genesis = openGenesis(store, spec, states, consensus)
    refuseFormerCalls(store, parts)
    if (indexAccounts) for (const index of blockIndexes) index.begin(store)
    this.runner = createBlockRunner({ spec, states, consensus, evm, permits: parts.permits })
    this.use = createStoreUse(store, this.runner, this.proposals)
    const indexPace: IndexPace | undefined = indexAccounts ? (isBulk ? 'bulk' : 'live') : undefined
    this.writer = createBlockWriter({
      states,
      consensus,
      runner: this.runner,
      keepRevertReasons,
      viewOf: this.viewOf,
      indexLogs,
      indexPace,
    })
    this.importInto = createBlockImporter({
      spec,
      consensus,
      badBlocks: this.badBlocks,
      proposals: this.proposals,
      runner: this.runner,
      writer: this.writer,
      viewOf: this.viewOf,
    })
    this.proposer = createBlockProposer({
      states,
      consensus,
      proposals: this.proposals,
      runner: this.runner,
      writer: this.writer,
      viewOf: this.viewOf,
    })
  }

  private readonly viewOf = (reader: Reader): ChainView => createChainView(this.parts, reader, () => {})

  private identifyBlock(block: Block | CheckedBlock): HashedBlock | CheckedBlock {
    if ('hash' in block) return block
    const { header, hash } = identify(this.consensus, block.header)
    return { header, hash, block: header === block.header ? block : { ...block, header } }
  }

  readonly openView = (onUnmap?: () => void): ChainView => {
    const snapshot = this.store.openSnapshot(onUnmap)
    try {
      return createChainView(this.parts, snapshot, snapshot.close)
    } catch (error) {
      snapshot.close()
      throw error
    }
  }

  private readonly announceNow = (event: HeadEvent): void => {
    this.proposals.clear()
    this.heads.announce(event)
  }

  private readonly announce = (event: HeadEvent | undefined): void => {
    if (!event) return
    this.importer?.deliver()
    this.announceNow(event)
  }

  private refuseCondemned({ hash }: HashedBlock): void {
    const bad = this.badBlocks.find(hash)
    if (bad?.condemned) throw new BlockError({ code: 'KNOWN_BAD_BLOCK', reason: bad.reason })
  }

  /** Imports blocks in one transaction; if one is invalid, those before it in another one. */
  private importAll(
    blocks: readonly Block[],
    to: Pick<Store, 'write'>,
    onMade: (events: readonly HeadEvent[]) => void,
  ): void {
    const events: HeadEvent[] = []
    let done = 0
    try {
      this.use.write((txn) => {
        for (const block of blocks) {
          const hashed = this.identifyBlock(block)
          const { event } = recordIfBad(this.badBlocks, hashed, () => this.importInto(txn, hashed))
          if (event) events.push(event)
          done++
        }
      }, to)
    } catch (error) {
      if (done > 0) this.importAll(blocks.slice(0, done), to, onMade)
      throw error
    }
    onMade(events)
  }

  readonly openBulk = async (): Promise<BulkImport> => {
    const behind = await this.store.openBehind()
    const opened = createBulkImport({
      behind,
      importBlocks: (blocks, onMade) => this.importAll(blocks, behind, onMade),
      announce: this.announceNow,
    })
    this.importer = opened
    return {
      ...opened,
      rest: (unmaps) => {
        if (unmaps) this.store.unmap()
        else {
          this.store.flush()
          this.runner.forget()
        }
        opened.deliver()
      },
      end: async () => {
        try {
          await opened.end()
        } finally {
          this.importer = undefined
        }
      },
    }
  }

  readonly delegateTo = (delegate: ChainDelegate): ChainDelegation => {
    const delegation = this.store.delegateTo(delegate)
    this.importer = delegate
    this.use.delegate()
    return {
      written: delegation.written,
      announce: this.announceNow,
      end: () => {
        delegation.end()
        this.importer = undefined
        this.use.endDelegation()
      },
    }
  }

  readonly head: Chain['head'] = () => this.store.read(requireHead)

  readonly read: Chain['read'] = (ask) => useAndClose(this.openView(), ask)

  readonly importBlock: Chain['importBlock'] = (block) => {
    const hashed = this.identifyBlock(block)
    this.refuseCondemned(hashed)
    const { status, event } = recordIfBad(this.badBlocks, hashed, () =>
      this.use.write((txn) => this.importInto(txn, hashed)),
    )
    this.announce(event)
    return status
  }

  readonly importBlocks: Chain['importBlocks'] = (blocks) =>
    this.importAll(blocks, this.store, (events) => events.forEach(this.announce))

  readonly importHeaders: Chain['importHeaders'] = (headers, check) =>
    this.store.write((txn) =>
      writeHeadersAhead(txn, headers, check, { consensus: this.consensus, viewOf: this.viewOf }),
    )

  readonly adoptState: Chain['adoptState'] = (exchange, pastBlocks) => {
    const event = this.use.write((txn) => adoptState(txn, keyOfBlock(readLastHeader(txn)), exchange, pastBlocks))
    this.runner.forget()
    this.announce(event)
  }

  readonly importPast: Chain['importPast'] = (blocks, past) =>
    // Not a use as others are: a block that is being made in steps goes on afterwards.
    this.store.write((txn) => writePastBlocks(txn, blocks, past, { indexLogs: this.parts.indexLogs ?? true }))

  readonly lastHeader: Chain['lastHeader'] = () => this.store.read(readLastHeader)

  readonly propose: Chain['propose'] = (...args) => this.proposeSteps(...args)

  private *proposeSteps(
    draft: Block,
    select: Parameters<Chain['propose']>[1],
    maker: Parameters<Chain['propose']>[2] = {},
  ): ReturnType<Chain['propose']> {
    if (equalBytes(this.store.read(requireHead).hash, draft.header.parentHash))
      return yield* this.use.readInSteps((reader) => this.proposer.propose(reader, draft, select, maker))
    return this.use.write<HashedBlock | undefined>((txn, undo) =>
      undo(this.proposer.proposeBefore(txn, draft, select, maker)),
    )
  }

  readonly produce: Chain['produce'] = (draft, select, maker = {}) => {
    const event = this.use.write((txn) => this.proposer.produce(txn, draft, select, maker))
    this.announce(event)
    return event?.added[0]
  }

  readonly verify: Chain['verify'] = (...args) => this.verifySteps(...args)

  private *verifySteps(block: Block | CheckedBlock): ReturnType<Chain['verify']> {
    const hashed = this.identifyBlock(block)
    this.refuseCondemned(hashed)
    try {
      yield* this.use.readInSteps((reader) => this.proposer.verify(reader, hashed))
    } catch (error) {
      if (error instanceof BlockError) recordBad(this.badBlocks, hashed, error)
      throw error
    }
  }

  readonly setHead: Chain['setHead'] = (number) => {
    const event = this.use.write((txn) => {
      const key = canonicalKey(txn, number)
      if (!key) throw new ChainError({ code: 'BLOCK_NOT_FOUND', number })
      const removed = this.writer.unwindTo(txn, key.number).reverse()
      return { head: requireHeaderRecord(txn, key), added: [], removed }
    })
    this.announce(event)
  }

  readonly replayBlock: Chain['replayBlock'] = (number) =>
    this.announce(
      this.use.write((txn) =>
        replayBlock(txn, number, { unwindTo: this.writer.unwindTo, importInto: this.importInto }),
      ),
    )

  readonly setMark: Chain['setMark'] = (mark, hash) => this.use.write((txn) => writeMark(txn, mark, hash))

  readonly exchangeState: Chain['exchangeState'] = (exchange) => {
    this.use.write(exchange)
    this.runner.forget()
  }

  readonly prune: Chain['prune'] = (before, goOn) =>
    this.use.write((txn) => {
      const end = Math.min(before, Number(requireHead(txn).header.number))
      for (let to = this.states.lowest(txn); to < end; ) {
        to = goOn ? Math.min(end, to + statesAtOnce) : end
        this.states.prune(txn, to)
        if (to < end && !goOn?.()) return false
      }
      return true
    })

  readonly pruneBlocks: Chain['pruneBlocks'] = (before, goOn) => {
    try {
      // Not a use as others are: a block that is being made in steps goes on afterwards.
      return this.store.write((txn) => this.blockPruner.prune(txn, before, goOn))
    } catch (error) {
      this.blockPruner.forget()
      throw error
    }
  }
}

/** Opens the chain in a store; an empty store gets the genesis block, one of another network is refused. */
export function createChain(parts: ChainParts): Chain {
  return new StoredChain(parts)
}
